// Triggers that delete a content with the last row that refers to it.

const isUsed = (key: string) =>
  `exists (select 1 from files where sha256 = ${key})
    or exists (select 1 from files where text = ${key})
    or exists (select 1 from share_files where sha256 = ${key})`;

function sqliteTrigger(name: string, table: string, column: string): string {
  return `create trigger ${name} after delete on ${table}
    when old.${column} is not null and not (${isUsed(`old.${column}`)})
    begin delete from file_contents where sha256 = old.${column}; end`;
}

export const sqliteContentTriggers = [
  sqliteTrigger('file_sha256_gone', 'files', 'sha256'),
  sqliteTrigger('file_text_gone', 'files', 'text'),
  sqliteTrigger('share_file_gone', 'share_files', 'sha256'),
];

/**
 * Checks whether a content is still referenced. A transaction that is about to refer to it holds a
 * lock and is seen after it ends, because each statement of the function sees the state at its
 * start.
 */
function postgresTriggers(table: string, columns: readonly string[]): string[] {
  const keys = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  return [
    `create function ${table}_gone() returns trigger language plpgsql as $$ begin
      perform 1 from file_contents where sha256 in (${keys('old')}) order by part for update;
      delete from file_contents where sha256 in (${keys('old')})
        and not exists (select 1 from files where files.sha256 = file_contents.sha256)
        and not exists (select 1 from files where files.text = file_contents.sha256)
        and not exists (select 1 from share_files where share_files.sha256 = file_contents.sha256);
      return null;
    end $$`,
    `create trigger ${table}_gone after delete on ${table}
      for each row execute function ${table}_gone()`,
    `create function ${table}_comes() returns trigger language plpgsql as $$ begin
      perform 1 from file_contents where sha256 in (${keys('new')}) order by part for share;
      return new;
    end $$`,
    `create trigger ${table}_comes before insert on ${table}
      for each row execute function ${table}_comes()`,
  ];
}

export const postgresContentTriggers = [
  ...postgresTriggers('files', ['sha256', 'text']),
  ...postgresTriggers('share_files', ['sha256']),
];
