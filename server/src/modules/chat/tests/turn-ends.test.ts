import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import {
  rightsFiles,
  type SignedIn,
  signInAgain,
  signInNew,
  storedAnswer,
} from '../../../testing/rights-chat.ts';
import {
  calls,
  type ScriptedModel,
  type Step,
  scriptedModel,
  untilAborted,
} from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { readConversation, type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

/** A second to notice, and one to abort the request to the provider. */
const soonMs = 2500;
const half: Step = [{ type: 'text', text: 'Half' }, untilAborted];

let server: TestServer;
let model: ScriptedModel;
let admin: Visitor;
let ann: SignedIn;

beforeEach(async () => {
  await start([half]);
});

let cluster: ReturnType<typeof createLocalCluster>;

async function start(script: Step[]): Promise<void> {
  model = scriptedModel(...script);
  cluster = createLocalCluster();
  const started = await startTestServer({ files: rightsFiles, model: model.ask, cluster });
  server = started;
  onTestFinished(() => started.close());
  admin = await signInAdmin(server);
  ann = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
}

interface HeldTurn {
  conversationId: string;
  ended: Promise<TakenTurn>;
}

/** A turn whose model has sent half of its answer, and then stalls. */
async function holdTurn(visitor: Visitor, conversationId = randomUUID()): Promise<HeldTurn> {
  await visitor('/api/auth/me');
  const before = model.requests.length;
  const ended = takeTurn(visitor, { message: 'Go', conversationId });
  await waitFor(() => model.requests.length > before);
  return { conversationId, ended };
}

const put = async (path: string, json: unknown) => {
  expect((await admin(`/api/admin/${path}`, { method: 'PUT', json })).status).toBe(200);
};
const onDatabase = async (
  change: (database: Awaited<ReturnType<typeof openTestDatabase>>) => Promise<unknown>,
) => {
  const database = await openTestDatabase(join(server.folder, 'data'));
  await change(database);
  await database.destroy();
};
const app = { id: 'chat', name: 'Chat' };

const losses: [string, string, () => Promise<unknown>][] = [
  ['signs out', 'not-signed-in', () => ann.visitor('/api/auth/logout', { method: 'POST' })],
  ['is disabled', 'not-signed-in', () => put(`users/${ann.id}`, { disabled: true })],
  [
    'gets another password',
    'not-signed-in',
    () => admin(`/api/admin/users/${ann.id}/reset-password`, { json: {} }),
  ],
  [
    'has a session that expires',
    'not-signed-in',
    async () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * 24 * 3600 * 1000 }),
  ],
  ['loses the app', 'not-found', () => put(`users/${ann.id}`, { groups: ['outside'] })],
  [
    'has an app that is switched off',
    'not-found',
    () => put('apps/chat', { ...app, enabled: false }),
  ],
  [
    'has an app that is deleted',
    'not-found',
    () => admin('/api/admin/apps/chat', { method: 'DELETE' }),
  ],
  [
    'has a model that the app loses',
    'not-found',
    () => put('apps/chat', { ...app, allowedModels: ['other'] }),
  ],
];

describe('a running turn', () => {
  test.each(losses)('ends when its user %s, with %s', async (_, code, lose) => {
    const { conversationId, ended } = await holdTurn(ann.visitor);
    await lose();
    const lost = performance.now();
    const { events } = await ended;
    vi.useRealTimers();
    expect(performance.now() - lost).toBeLessThan(soonMs);
    expect(events.at(-1)).toMatchObject({ type: 'error', code });
    expect(events.filter(({ type }) => type === 'error' || type === 'done')).toHaveLength(1);
    expect(await storedAnswer(server, conversationId)).toMatchObject({
      content: 'Half',
      status: 'failed',
      error: { code },
    });
  });

  test('ends with the session it started in; those of other sessions continue', async () => {
    const { visitor: elsewhere } = await signInAgain(server, 'ann');
    const here = await holdTurn(ann.visitor);
    const there = await holdTurn(elsewhere);
    await ann.visitor('/api/auth/logout', { method: 'POST' });
    expect((await here.ended).events.at(-1)).toMatchObject({ code: 'not-signed-in' });
    expect((await storedAnswer(server, there.conversationId))?.status).toBe('running');
    await elsewhere(`/api/apps/chat/chat/${there.conversationId}/stop`, { method: 'POST' });
    expect((await there.ended).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
  });

  test('ends when it was started with a bearer token and that session ends', async () => {
    const [, token] = ann.cookie.split('=');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const bearer: Visitor = (path, { json: body, ...init } = {}) =>
      fetch(server.url + path, {
        ...init,
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
    const { ended } = await holdTurn(bearer);
    await fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers });
    expect((await ended).events.at(-1)).toMatchObject({ type: 'error', code: 'not-signed-in' });
  });

  test('ends when anonymous access is disabled', async () => {
    const { conversationId, ended } = await holdTurn(server.visitor());
    await writeFile(
      join(server.folder, 'contents/config/platform.json'),
      JSON.stringify({ anonymousAuth: { enabled: false } }),
    );
    expect((await ended).events.at(-1)).toMatchObject({ type: 'error', code: 'not-signed-in' });
    expect((await storedAnswer(server, conversationId))?.content).toBe('Half');
  });

  test('continues when groups and apps change without removing its access', async () => {
    const { conversationId, ended } = await holdTurn(ann.visitor);
    await put(`users/${ann.id}`, { groups: ['interns'] });
    await put('apps/chat', { ...app, description: 'Another one.' });
    const { visitor: elsewhere } = await signInAgain(server, 'ann');
    const later = await holdTurn(elsewhere);
    await elsewhere('/api/auth/logout', { method: 'POST' });
    await later.ended;
    await ann.visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    expect((await ended).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
  });

  test('ends as interrupted when its lease is lost', async () => {
    const { conversationId, ended } = await holdTurn(ann.visitor);
    cluster.endLease(`turn ${conversationId}`);
    expect((await ended).events.at(-1)).toEqual({ type: 'done', finishReason: 'interrupted' });
    expect(await storedAnswer(server, conversationId)).toMatchObject({
      content: 'Half',
      status: 'interrupted',
    });
  });

  test('ends with its conversation, of which nothing is recreated', async () => {
    const { conversationId, ended } = await holdTurn(ann.visitor);
    const path = `/api/conversations/${conversationId}`;
    expect((await ann.visitor(path, { method: 'DELETE' })).status).toBe(204);
    expect((await ended).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
    expect((await ann.visitor(path)).status).toBe(404);
    expect(await storedAnswer(server, conversationId)).toBeUndefined();
  });
});

/** Ways in which the stored answer may end while the model writes the rest of it. */
const endings: [string, object, number, () => Promise<unknown>][] = [
  [
    'another node marks as interrupted',
    { type: 'done', finishReason: 'interrupted' },
    200,
    () =>
      onDatabase((database) =>
        database
          .updateTable('messages')
          .set({ status: 'interrupted' })
          .where('status', '=', 'running')
          .execute(),
      ),
  ],
  [
    'a backup from during the answer replaces',
    { type: 'done', finishReason: 'interrupted' },
    200,
    async () => importBackup(admin, await exportBackup(admin, '?data=true')),
  ],
  [
    'an older backup lacks',
    { type: 'error', code: 'not-found' },
    404,
    () => importBackup(admin, older),
  ],
  [
    'is deleted with its conversation',
    { type: 'error', code: 'not-found' },
    404,
    () => onDatabase((database) => database.deleteFrom('conversations').execute()),
  ],
  [
    'is deleted separately',
    { type: 'error', code: 'not-found' },
    200,
    () =>
      onDatabase((database) =>
        database.deleteFrom('messages').where('role', '=', 'assistant').execute(),
      ),
  ],
];
let older: Buffer;

test.each(endings)(
  'an answer that %s does not end as done for its reader',
  async (_, last, status, take) => {
    await start([
      [
        { type: 'text', text: 'Half' },
        async () => {
          await take();
        },
        { type: 'text', text: ' and more.' },
        { type: 'stop', reason: 'stop' },
      ],
    ]);
    older = await exportBackup(admin, '?data=true');
    const { conversationId, events } = await takeTurn(ann.visitor, { message: 'Go' });
    expect(events.at(-1)).toMatchObject(last);
    expect(events.filter(({ type }) => type === 'error' || type === 'done')).toHaveLength(1);
    const { visitor: again } = await signInAgain(server, 'ann');
    expect((await again(`/api/conversations/${conversationId}`)).status).toBe(status);
    expect((await storedAnswer(server, conversationId))?.status).not.toBe('complete');
  },
);

test('a turn with tool calls ends with its conversation like any other', async () => {
  await start([calls(['activate_skill', { skill_name: 'meeting-notes' }]), half]);
  const { conversationId, ended } = await holdTurn(ann.visitor);
  await waitFor(() => model.requests.length === 2);
  const path = `/api/conversations/${conversationId}`;
  expect((await ann.visitor(path, { method: 'DELETE' })).status).toBe(204);
  expect((await ended).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
});

describe('between two rounds', () => {
  test('a turn ends before the next model request, and its calls do not run', async () => {
    await start([
      [
        async () => void (await ann.visitor('/api/auth/logout', { method: 'POST' })),
        ...calls(['activate_skill', { skill_name: 'meeting-notes' }]),
      ],
    ]);
    const { events, conversationId } = await takeTurn(ann.visitor, { message: 'Go' });
    expect(events.map(({ type }) => type)).toEqual(['session.start', 'error']);
    expect(model.requests).toHaveLength(1);
    const { visitor: again } = await signInAgain(server, 'ann');
    expect((await readConversation(again, conversationId)).activeSkills).toEqual([]);
  });

  test('a turn ends if its conversation was deleted without a notification', async () => {
    await start([
      [
        () => onDatabase((database) => database.deleteFrom('conversations').execute()),
        ...calls(['activate_skill', { skill_name: 'meeting-notes' }]),
      ],
    ]);
    const { events, conversationId } = await takeTurn(ann.visitor, { message: 'Go' });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'not-found' });
    expect((await ann.visitor(`/api/conversations/${conversationId}`)).status).toBe(404);
  });
});

test('an administrator who loses the permission during a turn is none at the next request', async () => {
  const boss = await signInNew(server, admin, { username: 'boss', groups: ['admins', 'staff'] });
  const { ended } = await holdTurn(boss.visitor);
  expect((await boss.visitor('/api/admin/users')).status).toBe(200);
  await put(`users/${boss.id}`, { groups: ['staff'] });
  expect((await boss.visitor('/api/admin/users')).status).toBe(403);
  await put(`users/${boss.id}`, { disabled: true });
  await ended;
});
