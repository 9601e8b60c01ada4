import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import { isPostgres } from './is-postgres.ts';
import type { Schema } from './schema.ts';

/**
 * A query that is compiled once for each kind of database, because compiling a large one takes longer than running it.
 *
 * @param marks stand for the values while it is compiled; each must be different from every constant of the query
 */
export function compileOnce<Values extends Record<string, string | number>, Row>(
  marks: Values,
  build: (database: Kysely<Schema>, values: Values) => Compilable<Row>,
): (database: Kysely<Schema>, values: Values) => Promise<Row[]> {
  const names = new Map<unknown, string>(Object.entries(marks).map(([name, mark]) => [mark, name]));
  const compiled = new Map<boolean, CompiledQuery<Row>>();
  return async (database, values) => {
    const kind = isPostgres(database);
    const query = compiled.get(kind) ?? build(database, marks).compile();
    compiled.set(kind, query);
    const parameters = query.parameters.map((value) => {
      const name = names.get(value);
      return name === undefined ? value : values[name];
    });
    const { rows } = await database.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}
