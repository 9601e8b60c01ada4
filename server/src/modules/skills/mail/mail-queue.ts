import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';

/** An event, before it is known whom to tell. */
export type NewNotice = Pick<Schema['mail_notices'], 'kind' | 'ref'> & {
  /** The id of the user who caused it. */
  by: string;
};

/** Adds a notice in the transaction of its event, so that a kill cannot separate them. */
export type QueueNotice = (write: Kysely<Schema>, notice: NewNotice) => Promise<void>;

/** @param isConfigured without a mail server, nothing is queued */
export function createMailQueue(isConfigured: boolean): QueueNotice {
  return async (write, { kind, ref, by }) => {
    if (isConfigured) {
      await write
        .insertInto('mail_notices')
        .values({
          id: randomUUID(),
          kind,
          ref,
          by_id: by,
          user_id: null,
          created_at: new Date().toISOString(),
        })
        .execute();
    }
  };
}
