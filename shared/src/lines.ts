import { z } from 'zod';
import { endpoint, forChat } from './endpoint.ts';

/** Accepts upper and lower case; stored in lower case. */
const id = z.uuid().toLowerCase();

/** A point where a conversation has several branches, created by edits and retries. */
export const linesSchema = z.object({
  /** Position of the displayed branch, from 1, and the number of branches. */
  at: z.number().int(),
  of: z.number().int(),
  /** Ids of the first user messages of the previous and the next branch. */
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
      'Switch to another branch of a conversation, by any of its messages; not while an answer is running',
    params: z.strictObject({ id }),
    body: z.strictObject({ question: id }),
    response: z.void(),
  }),
};
