import { z } from 'zod';
import { localizedSchema } from '../config/localized.ts';

export const maxUserVariables = 12;
/** Upper bound of a value's length in characters, whatever the file says. */
export const maxVariableLength = 500;

/**
 * A question that an app asks each user once. The answer replaces `{{name}}` in the app's prompt.
 */
export const userVariableSchema = z.looseObject({
  name: z
    .string()
    .regex(/^[A-Za-z]\w{0,49}$/, 'A variable has letters, digits and underscores.')
    .refine(
      (name) => !builtInVariables.some((own) => own === name),
      'Knowhow fills this one itself.',
    ),
  label: localizedSchema.optional(),
  description: localizedSchema.optional(),
  /** `select` has `options`. */
  type: z.enum(['string', 'text', 'select']).default('string'),
  required: z.boolean().default(false),
  defaultValue: localizedSchema.optional(),
  options: z.array(localizedSchema).max(100).optional(),
  maxLength: z.number().int().min(1).max(maxVariableLength).default(200),
});
export type UserVariable = z.infer<typeof userVariableSchema>;

/** Variables that Knowhow fills in. */
export const builtInVariables = ['user.name', 'date', 'language'] as const;
