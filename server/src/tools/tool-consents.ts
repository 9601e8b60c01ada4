import type { ConsentDecision } from '@knowhow/shared/config/tools';
import type { Caller } from '../access/caller.ts';
import { findRootConversation } from '../conversations/comparison/comparison-store.ts';
import { uuidv7 } from '../lib/uuidv7.ts';
import type { Database } from '../storage/open-database.ts';

/** Who has let which tool run without being asked again. It counts for the tool as it was. */
export interface ToolConsents {
  has(subject: Subject, by: Consenting): Promise<boolean>;
  /** Keeps a decision that is to last; a visitor's lasts as long as the conversation. */
  keep(subject: Subject, by: Consenting, decision: ConsentDecision): Promise<void>;
  /** What somebody has allowed for always, newest first. */
  listOf(userId: string): Promise<KeptConsent[]>;
  /** False when there is none of theirs. */
  revoke(userId: string, id: string): Promise<boolean>;
}

/** What it counts for: a tool, or a part of what it does, as it was then. */
interface Subject {
  /** Of a tool `<source>/<name>`. */
  id: string;
  digest: string;
}

interface Consenting {
  caller: Pick<Caller, 'id' | 'anonymous'>;
  conversationId: string;
}

export interface KeptConsent {
  id: string;
  /** `<source>/<name>` */
  tool: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** @param databaseOf where what counts for one conversation is */
export function createToolConsents(
  database: Database,
  databaseOf: (conversationId: string) => Database,
): ToolConsents {
  return {
    has: async ({ id, digest }, { caller, conversationId }) => {
      const given = (place: Database) =>
        place
          .selectFrom('tool_consents')
          .select('id')
          .where('tool', '=', id)
          .where('digest', '=', digest);
      const place = databaseOf(conversationId);
      const whole = await findRootConversation(place, conversationId);
      const here = given(place).where('conversation_id', '=', whole);
      const always = given(database).where('user_id', '=', caller.id);
      return (await here.executeTakeFirst()) !== undefined
        ? true
        : (await always.executeTakeFirst()) !== undefined;
    },
    keep: async ({ id, digest }, { caller, conversationId }, decision) => {
      if (decision !== 'conversation' && decision !== 'always') {
        return;
      }
      const isAlways = decision === 'always' && !caller.anonymous;
      const place = databaseOf(conversationId);
      await (isAlways ? database : place)
        .insertInto('tool_consents')
        .values({
          id: uuidv7(),
          user_id: isAlways ? caller.id : null,
          conversation_id: isAlways ? null : await findRootConversation(place, conversationId),
          tool: id,
          digest,
          created_at: new Date().toISOString(),
        })
        .execute();
    },
    listOf: async (userId) => {
      const rows = await database
        .selectFrom('tool_consents')
        .select(['id', 'tool', 'created_at as at'])
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute();
      return rows;
    },
    revoke: async (userId, id) => {
      const { numDeletedRows } = await database
        .deleteFrom('tool_consents')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
