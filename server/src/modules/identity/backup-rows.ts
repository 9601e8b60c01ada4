import { preferencesSchema } from '@knowhow/shared/access/preferences';
import { maxPromptLength } from '@knowhow/shared/chat/user-prompts';
import { favouriteRows } from '@knowhow/shared/skills/favourites';
import { z } from 'zod';
import { flag, id, json, name, text, time } from '../../platform/storage/row-columns.ts';
import { directorySchema } from './identity.ts';
import { isPasswordHash, passwordHashFault } from './passwords.ts';

/** A user account in a backup. */
export const userRow = z
  .strictObject({
    id,
    username: name
      .min(1)
      .max(200)
      .refine((written) => written === written.toLowerCase(), 'Not in lower case.'),
    name,
    password_hash: z.string().nullable(),
    groups: json(z.array(z.string())),
    disabled: flag,
    created_at: time,
    /** Missing in backups of earlier versions. */
    favourites: json(favouriteRows).nullable().default(null),
    preferences: json(preferencesSchema).nullable().default(null),
    app_answers: json(z.record(z.string(), z.record(z.string(), z.string())))
      .nullable()
      .default(null),
    identity: name.max(1600).nullable().default(null),
    directory: json(directorySchema).nullable().default(null),
  })
  .superRefine(({ username, password_hash }, context) => {
    if (password_hash !== null && !isPasswordHash(password_hash)) {
      context.addIssue({
        code: 'custom',
        path: ['password_hash'],
        message: passwordHashFault(username),
      });
    }
  });

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
