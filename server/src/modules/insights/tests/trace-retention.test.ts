import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { expect, test } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { getAnswerId, readTrace } from '../../../testing/read-trace.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';

type Options = Parameters<typeof startTestServer>[0];

/** A server whose schedules run on demand. */
async function start(options: Options = {}) {
  const works: ((lost: AbortSignal) => Promise<void>)[] = [];
  const cluster = createLocalCluster();
  const server = await startTestServer({
    ...options,
    cluster: {
      ...cluster,
      oneNode: (name, cron, work) => {
        if (name === 'traces') {
          works.push(work);
        }
        return cluster.oneNode(name, cron, work);
      },
    },
  });
  const purge = async () => {
    expect(works).toHaveLength(1);
    await works[0]?.(new AbortController().signal);
  };
  return { server, purge, admin: await signInAdmin(server) };
}

const get = (reader: Visitor, turn: TakenTurn) =>
  reader(`/api/messages/${getAnswerId(turn)}/trace`);
const platform = (traces: Record<string, unknown>) => ({
  'config/platform.json': { rateLimit: { requests: 0, turns: 0 }, traces },
});

/** The number of rows, regardless of access; first makes all traces older. */
async function rowsIn(folder: string, olderByDays = 0) {
  const database = await openTestDatabase(join(folder, 'data'));
  const traces = await database.selectFrom('traces').selectAll().execute();
  const parts = await database.selectFrom('trace_parts').selectAll().execute();
  const older = (time: string) =>
    new Date(Date.parse(time) - olderByDays * 24 * 60 * 60 * 1000).toISOString();
  for (const { message_id, created_at } of olderByDays > 0 ? traces : []) {
    const change = { created_at: older(created_at) };
    await database.updateTable('traces').set(change).where('message_id', '=', message_id).execute();
    const { used_at = '' } = parts[0] ?? {};
    await database
      .updateTable('trace_parts')
      .set({ used_at: older(used_at).slice(0, 10) })
      .execute();
    const created = await database
      .selectFrom('messages')
      .select('created_at')
      .where('id', '=', message_id)
      .executeTakeFirstOrThrow();
    await database
      .updateTable('messages')
      .set({ created_at: older(created.created_at) })
      .where('id', '=', message_id)
      .execute();
  }
  await database.destroy();
  return { traces: traces.length, parts: parts.length };
}

test.each<[string, Options]>([
  ['the environment', { environment: { TRACE_DAYS: '0' } }],
  ['platform.json, which takes precedence', { files: platform({ days: 0 }) }],
])('records none where %s says so', async (_, options) => {
  const { server, admin } = await start(options);
  const turn = await takeTurn(server.visitor(), { message: 'Hi' });
  expect(await parseProblem(get(admin, turn))).toMatchObject({
    status: 404,
    issues: [{ code: 'trace-off' }],
  });
  expect(await rowsIn(server.folder)).toEqual({ traces: 0, parts: 0 });
  await server.close();
});

test('an expired trace is hidden, and deleted with what no other one shares', async () => {
  const { server, admin, purge } = await start({
    environment: { TRACE_DAYS: '1' },
    files: platform({ days: 7 }),
  });
  const turn = await takeTurn(server.visitor(), { message: 'Hi' });
  await readTrace(admin, turn);
  await rowsIn(server.folder, 5);
  await purge();
  expect((await get(admin, turn)).status).toBe(200);
  await rowsIn(server.folder, 5);
  expect(await parseProblem(get(admin, turn))).toMatchObject({
    status: 404,
    issues: [{ code: 'trace-expired', message: expect.stringContaining('7 days') }],
  });
  expect(await rowsIn(server.folder)).toEqual({ traces: 1, parts: 2 });
  await purge();
  expect(await rowsIn(server.folder)).toEqual({ traces: 0, parts: 0 });
  // The next one has everything it refers to.
  const next = await takeTurn(server.visitor(), { message: 'Hi' });
  expect((await readTrace(admin, next)).rounds[0]?.system).toHaveLength(3);
  await server.close();
});

test('parts shared by many answers are stored once', async () => {
  const { server, admin } = await start();
  const visitor = server.visitor();
  let turn: TakenTurn | undefined;
  for (let at = 0; at < 5; at += 1) {
    turn = await takeTurn(visitor, { message: `Number ${at}` });
  }
  await readTrace(admin, turn ?? { events: [] });
  expect(await rowsIn(server.folder)).toEqual({ traces: 5, parts: 2 });
  await server.close();
});

test('it stays with a retried answer, and is deleted with its conversation and its user', async () => {
  const { server, admin } = await start();
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['anonymous'] });
  const take = (conversationId: string, replaces?: string) =>
    takeTurn(ann.visitor, { message: 'Hi', conversationId, ...(replaces ? { replaces } : {}) });
  const conversationId = randomUUID();
  const first = await take(conversationId);
  await readTrace(admin, first);
  const [begun] = first.events;
  const again = await take(
    conversationId,
    begun?.type === 'session.start' ? begun.userMessageId : '',
  );
  await readTrace(admin, again);
  expect((await get(admin, first)).status).toBe(200);
  await ann.visitor(`/api/conversations/${conversationId}`, { method: 'DELETE' });
  expect((await get(admin, first)).status).toBe(404);
  expect((await get(admin, again)).status).toBe(404);
  const other = await take(randomUUID());
  await readTrace(admin, other);
  await admin(`/api/admin/users/${ann.id}?conversations=delete`, { method: 'DELETE' });
  expect((await get(admin, other)).status).toBe(404);
  expect(await rowsIn(server.folder)).toMatchObject({ traces: 0 });
  await server.close();
});

test('a conversation deleted before its trace is stored does not affect other traces', async () => {
  const { server, admin } = await start();
  const visitor = server.visitor();
  const kept = await takeTurn(visitor, { message: 'Hi' });
  const gone = await takeTurn(visitor, { message: 'Hi' });
  await visitor(`/api/conversations/${gone.conversationId}`, { method: 'DELETE' });
  expect((await readTrace(admin, kept)).rounds).toHaveLength(1);
  await server.close();
});

test('turns that ended before the server stops are there after the next start', async () => {
  const { server } = await start();
  const turn = await takeTurn(server.visitor(), { message: 'Hi' });
  await server.close();
  const next = await start({ folder: server.folder });
  expect((await readTrace(next.admin, turn)).rounds).toHaveLength(1);
  await next.server.close();
});

test('backups contain no traces, and a restore leaves none', async () => {
  const { server, admin } = await start();
  const turn = await takeTurn(server.visitor(), { message: 'Hi' });
  await readTrace(admin, turn);
  const zip = await exportBackup(admin, '?data=true');
  const names = new AdmZip(zip).getEntries().map(({ entryName }) => entryName);
  expect(names).toContain('data/messages.jsonl');
  expect(names.filter((name) => name.includes('trace'))).toEqual([]);
  await importBackup(admin, zip);
  expect(await parseProblem(get(await signInAdmin(server), turn))).toMatchObject({
    issues: [{ code: 'trace-none' }],
  });
  await server.close();
});
