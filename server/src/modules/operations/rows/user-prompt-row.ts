import { maxPromptLength } from '@knowhow/shared/chat/user-prompts';
import { z } from 'zod';
import { id, json, name, text, time } from './row-columns.ts';

/** A user's own prompt in a backup. */
export const userPromptRow = z.strictObject({
  id,
  user_id: id,
  name,
  text: text.refine((written) => written.length <= maxPromptLength, 'Too long.'),
  groups: json(z.array(z.string())),
  created_at: time,
  updated_at: time,
});
