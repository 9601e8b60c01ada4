import { z } from 'zod';
import { localizedSchema } from '../config/localized.ts';

export const maxUserVariables = 12;
/** Characters of a value at most, whatever a file says. */
export const maxVariableLength = 500;
const usualLength = 200;

/** What an app asks each of its users once, for the places in its prompt that name it: `{{name}}`. */
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
  type: z.enum(['string', 'text', 'select']).optional(),
  required: z.boolean().optional(),
  defaultValue: localizedSchema.optional(),
  options: z.array(localizedSchema).max(100).optional(),
  maxLength: z.number().int().min(1).max(maxVariableLength).optional(),
});
export type UserVariable = z.infer<typeof userVariableSchema>;

/** What Knowhow itself fills in. */
export const builtInVariables = ['user.name', 'date', 'language'] as const;

/** As many characters may a value have. */
export function lengthOf({ maxLength = usualLength }: UserVariable): number {
  return maxLength;
}
