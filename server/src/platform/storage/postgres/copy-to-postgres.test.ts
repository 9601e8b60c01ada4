import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { runCommand } from '../../../testing/run-command.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

const secret = { SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };

/**
 * A stopped installation on SQLite, with a conversation that has a file, and the command that
 * migrates it.
 */
async function stoppedInstallation() {
  const server = await startTestServer({ environment: { DATABASE_URL: '', ...secret } });
  const admin = await signInAdmin(server);
  const headers = { 'content-type': 'application/octet-stream' };
  const uploaded = await admin('/api/files?name=plan.txt', { method: 'POST', headers, body: 'Ü' });
  const { id } = (await uploaded.json()) as { id: string };
  const { conversationId } = await takeTurn(admin, { message: 'Herons?', attachments: [id] });
  await admin('/api/admin/skills/meeting-notes/files/more.md', { method: 'PUT', body: 'More.' });
  const before = await readConversation(admin, conversationId);
  await server.stop();
  const { folder } = server;
  const installation = () => ({
    contentsDirectory: join(folder, 'contents'),
    dataDirectory: join(folder, 'data'),
    skillsExtraDirectories: [],
    skillsExtraRecursive: [],
    adminPassword: undefined,
    variables: {},
    version: '1.2.3',
  });
  const { databaseUrl = '' } = await createTestDatabase(join(folder, 'elsewhere'));
  const migrate = (...flags: string[]) =>
    runCommand(['migrate', '--to', databaseUrl, ...flags], { installation });
  return { conversationId, before, databaseUrl, migrate, installation };
}

async function onDatabase(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

test('migrates an installation to PostgreSQL with its sessions and search index', async () => {
  const { conversationId, before, databaseUrl, migrate } = await stoppedInstallation();
  expect((await migrate()).error).toContain('Add --yes to migrate without asking.');
  const { code, out, error } = await migrate('--yes');
  expect([code, error]).toEqual([0, '']);
  expect(out).toMatch(/^messages: 2 rows, [0-9a-f]{16}$/m);
  expect(out).toContain('All rows have arrived as they were.');
  expect(out).toContain('Pushed: generation 1.');
  expect(out).toContain('the previous SECRET_KEY');
  const moved = await startTestServer({
    folder: await temporaryFolder(),
    environment: { DATABASE_URL: databaseUrl, ...secret },
  });
  const admin = await signInAdmin(moved);
  expect(await readConversation(admin, conversationId)).toEqual(before);
  const [message] = before.messages;
  const file = message?.role === 'user' ? message.attachments?.[0]?.id : undefined;
  expect(await (await admin(`/api/files/${file}`)).text()).toBe('Ü');
  expect((await admin('/api/admin/skills/meeting-notes/files/more.md')).status).toBe(200);
  const found = async () => (await admin('/api/conversations?query=herons')).text();
  await waitFor(async () => (await found()).includes(conversationId));
  await moved.stop();
  expect(await migrate('--yes')).toMatchObject({
    code: 1,
    error: expect.stringMatching(/The database is not empty: its table \w+ has/),
  });
});

test('resumes an interrupted migration and rolls back if rows arrive changed', async () => {
  const { databaseUrl, migrate, installation } = await stoppedInstallation();
  // Changes a row in transit.
  await onDatabase(
    databaseUrl,
    `create function spoil() returns trigger language plpgsql as $$ begin
      new.content = 'Spoilt.'; return new; end $$;
    create trigger spoil before insert on messages for each row execute function spoil()`,
  );
  await expect(migrate('--yes')).rejects.toThrow('messages has arrived in another state');
  const [{ count }] = await onDatabase(databaseUrl, 'select count(*) from users');
  expect(Number(count)).toBe(0);
  await onDatabase(databaseUrl, 'drop trigger spoil on messages');
  // The rows are copied, then the command fails.
  const broken = { ...installation(), contentsDirectory: join(installation().dataDirectory, 'no') };
  const half = await runCommand(['migrate', '--to', databaseUrl, '--yes'], {
    installation: () => broken,
  });
  expect(half).toMatchObject({ code: 1 });
  expect(half.out).toContain('All rows have arrived as they were.');
  const { code, out } = await migrate('--yes');
  expect(code).toBe(0);
  expect(out).toContain('The rows are there already.');
  expect(out).toContain('Pushed: generation 1.');
  const wrong = await runCommand(['migrate', '--to', 'mysql://there', '--yes'], { installation });
  expect(wrong.error).toContain('--to takes the address of a PostgreSQL');
});
