import { z } from 'zod';
import { maxVariableLength } from '../access/user-variables.ts';
import { endpoint } from '../endpoint.ts';
import { itemIdSchema } from './item-id.ts';
import { localizedSchema } from './localized.ts';

const params = z.strictObject({ appId: itemIdSchema });
const values = z.record(z.string().max(50), z.string().max(maxVariableLength));

/** What an app wants to know, and what its user has answered. */
export const appAnswersSchema = z.object({
  variables: z.array(
    z.object({
      name: z.string(),
      label: localizedSchema,
      description: localizedSchema,
      type: z.enum(['string', 'text', 'select']),
      required: z.boolean(),
      /** Holds where nothing is answered. */
      defaultValue: localizedSchema,
      options: z.array(localizedSchema),
      maxLength: z.number().int(),
    }),
  ),
  values,
  /** Whether something is missing without which the app does not answer. */
  isIncomplete: z.boolean(),
  /** False for a guest, of whom nothing is kept. */
  canKeep: z.boolean(),
});
export type AppAnswers = z.infer<typeof appAnswersSchema>;

export const appVariablesApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/apps/:appId/variables',
    access: 'user',
    summary: 'What an app wants to know of its user, and what they have answered',
    params,
    response: appAnswersSchema,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/apps/:appId/variables',
    access: 'user',
    summary:
      'Answers what an app wants to know, from the next message on; an empty text answers nothing',
    params,
    body: z.strictObject({ values }),
    response: appAnswersSchema,
  }),
};
