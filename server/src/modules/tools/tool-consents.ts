import type { ConsentDecision } from '@knowhow/shared/config/tools';
import { uuidv7 } from '../../platform/lib/uuidv7.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { findRootConversation } from '../conversations/index.ts';
import type { Caller } from '../identity/index.ts';

/** Consents to run tools without asking again. They are bound to the tool's digest. */
export interface ToolConsents {
  has(subject: Subject, by: Consenting): Promise<boolean>;
  /** Persists a lasting decision; those of guests last as long as the conversation. */
  keep(subject: Subject, by: Consenting, decision: ConsentDecision): Promise<void>;
  /** A user's permanent consents, newest first. */
  listOf(userId: string): Promise<StoredConsent[]>;
  /** False if the user has no such consent. */
  revoke(userId: string, id: string): Promise<boolean>;
}

/** The scope of a consent: a tool or a part of it, at a certain version. */
interface Subject {
  /** `<source>/<name>` for a tool. */
  id: string;
  digest: string;
}

interface Consenting {
  caller: Pick<Caller, 'id' | 'anonymous'>;
  conversationId: string;
}

export interface StoredConsent {
  id: string;
  /** `<source>/<name>` */
  tool: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** @param databaseOf the database that holds a conversation */
export function createToolConsents(
  database: Database,
  databaseOf: (conversationId: string) => Database,
): ToolConsents {
  return {
    has: async ({ id, digest }, { caller, conversationId }) => {
      const consentsIn = (conversationDatabase: Database) =>
        conversationDatabase
          .selectFrom('tool_consents')
          .select('id')
          .where('tool', '=', id)
          .where('digest', '=', digest);
      const conversationDatabase = databaseOf(conversationId);
      const rootId = await findRootConversation(conversationDatabase, conversationId);
      const inConversation = consentsIn(conversationDatabase).where('conversation_id', '=', rootId);
      const always = consentsIn(database).where('user_id', '=', caller.id);
      return (await inConversation.executeTakeFirst()) !== undefined
        ? true
        : (await always.executeTakeFirst()) !== undefined;
    },
    keep: async ({ id, digest }, { caller, conversationId }, decision) => {
      if (decision !== 'conversation' && decision !== 'always') {
        return;
      }
      const isAlways = decision === 'always' && !caller.anonymous;
      const conversationDatabase = databaseOf(conversationId);
      await (isAlways ? database : conversationDatabase)
        .insertInto('tool_consents')
        .values({
          id: uuidv7(),
          user_id: isAlways ? caller.id : null,
          conversation_id: isAlways
            ? null
            : await findRootConversation(conversationDatabase, conversationId),
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
