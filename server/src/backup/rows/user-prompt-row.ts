import { maxPromptLength } from '@knowhow/shared/chat/user-prompts';
import { z } from 'zod';
import { id, json, name, text, time } from './row-columns.ts';

/** What somebody has written to use again, as a backup brings it. */
export const userPromptRow = z.strictObject({
  id,
  user_id: id,
  name,
  text: text.refine((written) => written.length <= maxPromptLength, 'Too long.'),
  groups: json(z.array(z.string())),
  created_at: time,
  updated_at: time,
});
