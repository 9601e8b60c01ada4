import type { Database } from '../../../platform/storage/open-database.ts';
import { owns } from './comparison-store.ts';

/** Names of the skills active in a conversation or comparison branch; undefined if it is gone. */
export async function activeNames(
  database: Database,
  owner: string,
  id: string,
): Promise<ReadonlySet<string> | undefined> {
  const rows = await database
    .selectFrom('conversations')
    .leftJoin('activations', (join) =>
      join
        .onRef('activations.conversation_id', '=', 'conversations.id')
        .on('activations.ended_at', 'is', null),
    )
    .select(['activations.name', 'conversations.owner'])
    .where('conversations.id', '=', id)
    .execute();
  const names = rows.flatMap(({ name }) => name ?? []);
  if (rows[0]?.owner === owner) {
    return new Set(names);
  }
  const isBranch = rows.length > 0 && (await owns(database, owner, id));
  return isBranch ? new Set([...names, ...(await inheritedNames(database, id))]) : undefined;
}

/** Skills that were active where the branch starts. One that ended in the main answer stays active in the branch. */
async function inheritedNames(database: Database, id: string): Promise<string[]> {
  const rows = await database
    .selectFrom('lines')
    .innerJoin('activations', 'activations.conversation_id', 'lines.conversation_id')
    .innerJoin('messages', 'messages.id', 'activations.message_id')
    .leftJoin('messages as end', 'end.id', 'activations.ended_in')
    .select('activations.name')
    .where('lines.id', '=', id)
    .whereRef('messages.position', '<', 'lines.position')
    .where(({ eb, or }) =>
      or([eb('ended_at', 'is', null), eb('end.position', '>=', eb.ref('lines.position'))]),
    )
    .execute();
  return rows.map(({ name }) => name);
}
