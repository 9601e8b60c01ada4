import { join } from 'node:path';
import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import { favouritesApi } from '@knowhow/shared/skills/favourites';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { tables } from '../../../tables.ts';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { breakableDatabase } from '../../../testing/breakable-database.ts';
import { openGate } from '../../../testing/open-gate.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { openDatabase } from '../open-database.ts';

type Options = Parameters<typeof startTestServer>[0];

async function start(options: Options = {}) {
  const server = await startTestServer(options);
  onTestFinished(server.close);
  return { server, admin: await signInAdmin(server) };
}

async function newPlace() {
  const { databaseUrl = '', ...place } = await createTestDatabase(await temporaryFolder());
  return { ...place, databaseUrl };
}

/** The same URL with a change. */
function changed(url: string, change: (address: URL) => void): string {
  const address = new URL(url);
  change(address);
  return address.href;
}

test('enforces limits for concurrent requests without losing any', async () => {
  const { admin } = await start();
  const key = () => admin('/api/account/keys', { json: { name: 'One of many', scopes: ['chat'] } });
  const made = await Promise.all(Array.from({ length: 55 }, key));
  expect(made.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(made.filter(({ status }) => status === 409)).toHaveLength(5);
  const keys = await parseAnswer(apiKeysApi.list.response, admin('/api/account/keys'));
  expect(keys.items).toHaveLength(50);
  const chosen = ['meeting-notes', 'release-notes'];
  const favourites = chosen.map((id) =>
    admin('/api/favourites', { method: 'PUT', json: { kind: 'skill', id, isFavourite: true } }),
  );
  await Promise.all(favourites);
  const list = await parseAnswer(favouritesApi.list.response, admin('/api/favourites?app=chat'));
  expect(list.skills.map(({ name }) => name).sort()).toEqual(chosen);
});

test('keeps a deduplicated content while files are added and deleted concurrently', async () => {
  const { server, admin } = await start();
  const upload = async () => {
    const answer = await admin('/api/files?name=plan.txt', { method: 'POST', body: 'The plan.' });
    return ((await answer.json()) as { id: string }).id;
  };
  const left: string[] = [];
  let last = await upload();
  for (let round = 0; round < 10; round += 1) {
    const before = last;
    const remove = () => admin(`/api/files/${before}`, { method: 'DELETE' });
    [last] = await Promise.all([upload(), remove()]);
    left.push(await (await admin(`/api/files/${last}`)).text());
  }
  expect(new Set(left)).toEqual(new Set(['The plan.']));
  await admin(`/api/files/${last}`, { method: 'DELETE' });
  const database = await openTestDatabase(join(server.folder, 'data'));
  const contents = await database.selectFrom('file_contents').select('sha256').execute();
  await database.destroy();
  expect(contents).toEqual([]);
});

test('asks clients to retry while the database is down and stores the answer afterwards', async () => {
  const { databaseUrl } = await newPlace();
  const way = await breakableDatabase(databaseUrl);
  const gate = openGate();
  const half = { type: 'text' as const, text: 'Half of it, ' };
  const model = scriptedModel([half, () => gate.passed, ...says('and the rest.')]);
  const environment = { DATABASE_URL: way.url };
  const { server, admin } = await start({ environment, model: model.ask });
  const turn = takeTurn(admin, { message: 'Tell me' });
  await waitFor(() => model.requests.length === 1);
  way.cut();
  const response = await admin('/api/conversations');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toMatchObject({ code: 'not-ready' });
  expect((await server.visitor()('/api/health')).status).toBe(200);
  expect((await server.visitor()('/api/ready')).status).toBe(503);
  const before = way.refused();
  gate.open();
  await waitFor(() => way.refused() > before + 2);
  way.reconnect();
  const { conversationId, text, events } = await turn;
  expect(text).toBe('Half of it, and the rest.');
  expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
  const { messages } = await readConversation(admin, conversationId);
  expect(messages[1]).toMatchObject({ content: text, status: 'complete' });
});

test('explains in one line why the database cannot be used', async () => {
  const { databaseUrl: url } = await newPlace();
  const { databaseUrl: newer } = await newPlace();
  await start({ environment: { DATABASE_URL: url } });
  const refusal = (DATABASE_URL: string) =>
    startTestServer({ environment: { DATABASE_URL } }).then(
      () => 'It has started.',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  const one = /^[^\n]+$/;
  expect(await refusal(url)).toMatch(/ is in use by another process of Knowhow\. Stop that first/);
  const missing = changed(url, (address) => {
    address.pathname = '/nowhere';
  });
  expect(await refusal(missing)).toMatch(/there is no such database/);
  const unreachable = changed(url, ({ searchParams }) => {
    searchParams.set('host', '127.0.0.1');
    searchParams.set('port', '1');
  });
  expect(await refusal(unreachable)).toMatch(/nothing is listening there/);
  const database = await openDatabase({ dataDirectory: '', databaseUrl: newer }, tables.migrations);
  await sql`drop role if exists knowhow_guest`.execute(database);
  await sql`create role knowhow_guest login`.execute(database);
  const guest = changed(newer, ({ searchParams }) => searchParams.set('user', 'knowhow_guest'));
  expect(await refusal(guest)).toMatch(/knowhow_guest may not make tables in it/);
  await sql`drop role knowhow_guest`.execute(database);
  const replica = changed(newer, ({ searchParams }) =>
    searchParams.set('options', '-c default_transaction_read_only=on'),
  );
  expect(await refusal(replica)).toMatch(/it is read-only, as a replica is/);
  await sql`insert into kysely_migration values ('9999-later', '2030')`.execute(database);
  await database.destroy();
  const later = await refusal(newer);
  expect(later).toMatch(/is of a newer version of Knowhow/);
  expect(later).toMatch(one);
});

test('restores backups across SQLite and PostgreSQL', async () => {
  const sqlite = { environment: { DATABASE_URL: '' } };
  const from = await start(sqlite);
  const { id } = (await (
    await from.admin('/api/files?name=plan.txt', { method: 'POST', body: 'The plan.' })
  ).json()) as { id: string };
  const { conversationId } = await takeTurn(from.admin, {
    message: 'Zeppelins\0 fly',
    skills: ['meeting-notes'],
    attachments: [id],
  });
  const before = await readConversation(from.admin, conversationId);
  let { admin } = from;
  for (const options of [{}, sqlite]) {
    const zip = await exportBackup(admin, '?data=true');
    const to = await start(options);
    expect((await importBackup(to.admin, zip)).restored).toBe(true);
    admin = await signInAdmin(to.server);
    expect(await readConversation(admin, conversationId)).toEqual(before);
    expect(await (await admin(`/api/files/${id}`)).text()).toBe('The plan.');
    const found = await admin('/api/conversations?query=zeppelin');
    expect(await found.json()).toMatchObject({ items: [{ id: conversationId }] });
  }
});
