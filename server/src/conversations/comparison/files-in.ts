import type { Database } from '../../storage/open-database.ts';

/** The files of a conversation; of a line beside its answer also those that came before. */
export function filesIn(database: Database, id: string) {
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
