import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { passwordOf, rightsFiles, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import { createVisitor, type Visitor } from '../../../testing/start-test-server.ts';

/** An administrator on one node, and Ann on another one, whose session is in use there. */
async function start() {
  const nodes = await createNodes(rightsFiles);
  const [here, there] = [await nodes.start(), await nodes.start()];
  const admin = await signInAdmin(here);
  const ann = await signInNew(here, admin, { username: 'ann', groups: ['staff'] });
  const window = createVisitor(there.url, ann.cookie);
  expect(await describeMe(window)).toMatchObject({ id: ann.id });
  const database = new pg.Client({ connectionString: nodes.databaseUrl });
  await database.connect();
  onTestFinished(() => database.end());
  return { here, admin, ann, window, database };
}

const describeMe = async (visitor: Visitor) =>
  (await (await visitor('/api/auth/me')).json()) as { id: string; isAdmin: boolean };

/** Fewer requests than fit into the ten seconds for which a node caches a session. */
const maxRequests = 200;

async function expectSoon(condition: () => Promise<boolean>): Promise<void> {
  for (let sent = 0; sent < maxRequests; sent += 1) {
    if (await condition()) {
      return;
    }
  }
  throw new Error(`Not after ${maxRequests} requests: ${condition.toString()}`);
}

type Started = Awaited<ReturnType<typeof start>>;

const changeUser = ({ admin, ann }: Started, json: object) =>
  admin(`/api/admin/users/${ann.id}`, { method: 'PUT', json });

const endings: [string, (started: Started) => Promise<unknown>][] = [
  ['is disabled', (started) => changeUser(started, { disabled: true })],
  [
    'gets a new password',
    ({ admin, ann }) => admin(`/api/admin/users/${ann.id}/reset-password`, { json: {} }),
  ],
  ['signs out', ({ ann }) => ann.visitor('/api/auth/logout', { method: 'POST' })],
  [
    'ends the session in another browser',
    async ({ here }) => {
      const other = here.visitor();
      await other('/api/auth/login', { json: { username: 'ann', password: passwordOf('ann') } });
      await other('/api/account/sessions', { method: 'DELETE' });
    },
  ],
];

test.each(endings)('a session ends on another node when its user %s', async (_, end) => {
  const started = await start();
  await end(started);
  await expectSoon(async () => (await describeMe(started.window)).id !== started.ann.id);
});

test('a session has the new groups of its user on another node', async () => {
  const started = await start();
  await changeUser(started, { groups: ['admins'] });
  await expectSoon(async () => (await describeMe(started.window)).isAdmin);
  await changeUser(started, { groups: ['staff'] });
  await expectSoon(async () => !(await describeMe(started.window)).isAdmin);
});

test('a node that has lost its connection for messages trusts no session that it cached', async () => {
  const { ann, window, database } = await start();
  await database.query('update users set groups = \'["admins"]\' where id = $1', [ann.id]);
  expect((await describeMe(window)).isAdmin).toBe(false);
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'knowhow node'`,
  );
  await expectSoon(async () => (await describeMe(window)).isAdmin);
});
