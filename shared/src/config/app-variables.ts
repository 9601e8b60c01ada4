import { z } from 'zod';
import { maxVariableLength } from '../access/user-variables.ts';
import { endpoint } from '../endpoint.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

const params = z.strictObject({ appId: itemIdSchema });
const values = z.record(z.string().max(50), z.string().max(maxVariableLength));

/** Questions of an app, with the user's answers. */
export const appAnswersSchema = z.object({
  variables: z.array(
    z.object({
      name: z.string(),
      label: localizedSchema,
      description: localizedSchema,
      type: z.enum(['string', 'text', 'select']),
      required: z.boolean(),
      /** Applies without an answer. */
      defaultValue: localizedSchema,
      options: z.array(localizedSchema),
      maxLength: z.number().int(),
    }),
  ),
  values,
  /** Whether a required answer is missing, so that the app cannot be used. */
  isIncomplete: z.boolean(),
  /** False for guests, whose answers are not saved. */
  canKeep: z.boolean(),
});
export type AppAnswers = z.infer<typeof appAnswersSchema>;

export const appVariablesApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/apps/:appId/variables',
    access: 'user',
    summary: "Questions of an app, with the user's answers",
    params,
    response: appAnswersSchema,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/apps/:appId/variables',
    access: 'user',
    summary:
      "Answers an app's questions, from the next message on; an empty text removes an answer",
    params,
    body: z.strictObject({ values }),
    response: appAnswersSchema,
  }),
};
