import { type Kysely, sql } from 'kysely';

/** Which conversations have been imported, and with what: to know them again, and to undo it. None is in a backup. */
export interface ImportTables {
  imports: {
    /** As whoever imports has named it. */
    id: string;
    owner: string;
    /** How many conversations it is to bring. */
    total: number;
    created_at: string;
  };
  imported: {
    conversation_id: string;
    import_id: string;
    /** What its product calls it, with that of the product. */
    source: string;
  };
}

const statements = [
  `create table imports (
    id text primary key,
    owner text not null,
    total integer not null,
    created_at text not null
  )`,
  `create table imported (
    conversation_id text primary key references conversations (id) on delete cascade,
    import_id text not null references imports (id) on delete cascade,
    source text not null
  )`,
  'create index imported_by_import on imported (import_id)',
  'create index imported_by_source on imported (source)',
  'create index imports_by_owner on imports (owner, created_at)',
];

export async function createImports(database: Kysely<never>): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
