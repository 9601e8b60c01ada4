import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { passwordOf, rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { calls, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  createVisitor,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

async function start(options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ files: rightsFiles, ...options });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const ann = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
  return { server, admin, ann };
}

test('a turn with a tool call reads its session once', async () => {
  const queries: string[] = [];
  const write = (line: string) => {
    const { msg, sql } = JSON.parse(line);
    if (msg === 'query') {
      queries.push(sql);
    }
  };
  const model = scriptedModel(
    calls(['activate_skill', { skill_name: 'release-notes' }]),
    says('Done.'),
  );
  const { ann } = await start({ model: model.ask, log: createLog('trace', { write }) });
  queries.length = 0;
  const { events } = await takeTurn(ann.visitor, { message: 'Write them.' });
  expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
  expect(model.requests).toHaveLength(2);
  expect(queries.filter((sql) => /from "sessions"/.test(sql))).toHaveLength(1);
});

const describeMe = async (visitor: Visitor) => (await visitor('/api/auth/me')).json();

interface Started {
  server: TestServer;
  admin: Visitor;
  ann: SignedIn;
}

const changeUser = ({ admin, ann }: Started, json: object) =>
  admin(`/api/admin/users/${ann.id}`, { method: 'PUT', json });

const endings: [string, (started: Started) => Promise<unknown>][] = [
  ['is disabled', (started) => changeUser(started, { disabled: true })],
  [
    'is deleted',
    async (started) => {
      await changeUser(started, { disabled: true });
      await started.admin(`/api/admin/users/${started.ann.id}`, { method: 'DELETE' });
    },
  ],
  [
    'gets a new password from an administrator',
    ({ admin, ann }) => admin(`/api/admin/users/${ann.id}/reset-password`, { json: {} }),
  ],
  [
    'signs out in another tab',
    ({ server, ann }) =>
      fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers: { Cookie: ann.cookie } }),
  ],
  [
    'changes the password in another browser',
    async ({ server }) => {
      const other = server.visitor();
      const current = passwordOf('ann');
      await other('/api/auth/login', { json: { username: 'ann', password: current } });
      await other('/api/account/password', {
        method: 'PUT',
        json: { current, password: 'another long password' },
      });
    },
  ],
  [
    'ends all other sessions',
    async ({ server }) => {
      const other = server.visitor();
      await other('/api/auth/login', { json: { username: 'ann', password: passwordOf('ann') } });
      await other('/api/account/sessions', { method: 'DELETE' });
    },
  ],
];

test.each(endings)('a session in use ends at once when its user %s', async (_, end) => {
  const started = await start();
  const window = createVisitor(started.server.url, started.ann.cookie);
  expect(await describeMe(window)).toMatchObject({ anonymous: false });
  await end(started);
  expect(await describeMe(window)).toMatchObject({ anonymous: true });
});

test('a session in use has the new groups and name of its user at once', async () => {
  const started = await start();
  const me = () => describeMe(started.ann.visitor);
  expect(await me()).toMatchObject({ name: 'ann', isAdmin: false });
  await changeUser(started, { name: 'Ann', groups: ['admins'] });
  expect(await me()).toMatchObject({ name: 'Ann', isAdmin: true });
  await changeUser(started, { groups: ['staff'] });
  expect(await me()).toMatchObject({ name: 'Ann', isAdmin: false });
});

test('a session in use ends when a restore removes its user', async () => {
  const server = await startTestServer({ files: rightsFiles });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const backup = await exportBackup(admin, '?data=true');
  const ann = await signInNew(server, admin, { username: randomUUID(), groups: ['staff'] });
  expect(await describeMe(ann.visitor)).toMatchObject({ anonymous: false });
  expect(await importBackup(admin, backup)).toMatchObject({ restored: true });
  expect(await describeMe(ann.visitor)).toMatchObject({ anonymous: true });
  expect(await describeMe(admin)).toMatchObject({ isAdmin: true });
});
