import type { Database } from '../../../platform/storage/open-database.ts';

/** Selects the files of a conversation; for a comparison branch, also those of earlier messages. */
export function selectFiles(database: Database, id: string) {
  return database
    .selectFrom('files')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('conversation_id', '=', id),
        eb(
          'conversation_id',
          'in',
          selectFrom('lines').select('conversation_id').where('id', '=', id),
        ),
      ]),
    )
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('conversation_id', '=', id),
        eb(
          'message_id',
          'in',
          selectFrom('lines')
            .innerJoin('messages', 'messages.conversation_id', 'lines.conversation_id')
            .select('messages.id')
            .where('lines.id', '=', id)
            .whereRef('messages.position', '<', 'lines.position'),
        ),
      ]),
    );
}
