import { z } from 'zod';
import { endpoint, forChat } from './endpoint.ts';

/** In either spelling; we keep it in small letters. */
const id = z.uuid().toLowerCase();

/** Where a conversation goes on in several ways: what was edited or tried again stays. */
export const linesSchema = z.object({
  /** Which one is shown, from 1, and of how many. */
  at: z.number().int(),
  of: z.number().int(),
  /** Ids of the user's messages that the one before and the one after begin with. */
  before: id.optional(),
  after: id.optional(),
});
export type Lines = z.infer<typeof linesSchema>;

export const linesApi = {
  change: endpoint({
    method: 'PUT',
    path: '/api/conversations/:id/line',
    ...forChat,
    summary:
      'Show another line of a conversation, by the message of its user that it begins with, or any other in it; not while an answer is written',
    params: z.strictObject({ id }),
    body: z.strictObject({ question: id }),
    response: z.void(),
  }),
};
