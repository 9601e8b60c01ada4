import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { openFormerDatabase } from '../open-database.ts';

test('migrates files of tools, deduplicated; a content is deleted with its last file', async () => {
  const path = join(await temporaryFolder(), 'former.sqlite');
  const { database, migrate } = await openFormerDatabase(path, '0023-api-keys');
  onTestFinished(() => database.destroy());
  const now = '2026-03-01T10:00:00.000Z';
  const run = (text: string) => sql.raw(text).execute(database);
  await run(
    `insert into conversations (id, owner, app_id, model, title, created_at, updated_at) values ('c', 'u', 'a', 'm', 't', '${now}', '${now}')`,
  );
  await run(
    `insert into messages (id, conversation_id, position, role, content, status, details, created_at) values ('m', 'c', 0, 'user', 'x', 'complete', '{}', '${now}')`,
  );
  for (const id of ['one', 'two']) {
    await run(
      `insert into tool_files (id, conversation_id, message_id, name, type, size, sha256) values ('${id}', 'c', 'm', '${id}.txt', 'text/plain', 3, 'same')`,
    );
    await run(`insert into tool_file_parts (file_id, part, bytes) values ('${id}', 0, x'616263')`);
  }
  await migrate();
  const files = await database.selectFrom('files').select(['id', 'owner', 'sha256']).execute();
  expect(files).toEqual([
    { id: 'one', owner: null, sha256: 'same' },
    { id: 'two', owner: null, sha256: 'same' },
  ]);
  const contents = () => database.selectFrom('file_contents').selectAll().execute();
  const [content, ...others] = await contents();
  expect(Buffer.from(content?.bytes ?? new ArrayBuffer()).toString()).toBe('abc');
  expect(others).toEqual([]);
  await database.deleteFrom('files').where('id', '=', 'one').execute();
  expect(await contents()).toHaveLength(1);
  await database.deleteFrom('files').execute();
  expect(await contents()).toEqual([]);
});
