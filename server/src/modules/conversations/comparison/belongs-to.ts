import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../../../platform/storage/schema.ts';

/** SQL condition: the conversation belongs to the owner, or is a branch of one that does. */
export function belongsTo(
  owner: string,
): (eb: ExpressionBuilder<Schema, 'conversations'>) => Expression<SqlBool> {
  return ({ eb, or, exists, selectFrom }) =>
    or([
      eb('conversations.owner', '=', owner),
      exists(
        selectFrom('lines')
          .innerJoin('conversations as whole', 'whole.id', 'lines.conversation_id')
          .select('lines.id')
          .whereRef('lines.id', '=', 'conversations.id')
          .where('whole.owner', '=', owner),
      ),
    ]);
}
