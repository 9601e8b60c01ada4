import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { meSchema } from '@knowhow/shared/access/auth';
import { problemSchema } from '@knowhow/shared/problem';
import jsonwebtoken from 'jsonwebtoken';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  adminPassword,
  defaultFiles,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
afterEach(() => {
  vi.useRealTimers();
  return server.close();
});

const signIn = (visitor: Visitor, username: string, password: string) =>
  visitor('/api/auth/login', { json: { username, password } });
const me = async (visitor: Visitor) => (await visitor('/api/auth/me')).json();
const change = (visitor: Visitor, current: string, password: string) =>
  visitor('/api/account/password', { method: 'PUT', json: { current, password } });
const codeOf = async (response: Response) => {
  const { code, issues } = problemSchema.parse(await response.json());
  return [code, ...(issues ?? []).map((issue) => issue.code)].join(' ');
};
const withAuth = (localAuth: object) => ({
  files: { 'config/platform.json': { localAuth, rateLimit: { requests: 0 } } },
});

/** Sets the clock forward. */
const skipSeconds = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });

/** A user with a temporary password. */
async function createAnn(admin: Visitor) {
  const json = { username: 'ann', name: 'Ann', groups: [] };
  const made = await parseAnswer(
    adminUsersApi.create.response,
    admin('/api/admin/users', { json }),
  );
  return { id: made.user.id, password: made.password ?? '' };
}

/** Changes stored rows, to simulate elapsed time. */
async function inDatabase(
  run: (database: Awaited<ReturnType<typeof openTestDatabase>>) => unknown,
) {
  const database = await openTestDatabase(join(server.folder, 'data'));
  await run(database);
  await database.destroy();
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe("one's own password", () => {
  test('can be changed with the current one; all other sessions end', async () => {
    server = await startTestServer();
    const [here, elsewhere] = [await signInAdmin(server), await signInAdmin(server)];
    expect((await change(here, adminPassword, 'seven calm herons')).status).toBe(204);
    expect(await me(here)).toMatchObject({ isAdmin: true });
    expect(await me(elsewhere)).toMatchObject({ anonymous: true });
    expect((await signIn(elsewhere, 'admin', adminPassword)).status).toBe(401);
    expect((await signIn(elsewhere, 'admin', 'seven calm herons')).status).toBe(200);
    const audit = await (await here('/api/admin/audit?kind=user')).json();
    expect(audit).toMatchObject({ items: [{ action: 'password-changed', target: 'admin' }] });
  });

  test('cannot be guessed: attempts are rate-limited', async () => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const guesses = [];
    for (let tried = 0; tried < 11; tried += 1) {
      guesses.push(await codeOf(await change(admin, 'a wrong guess', 'seven calm herons')));
    }
    expect(guesses.slice(0, 10).every((code) => code === 'wrong-credentials')).toBe(true);
    expect(guesses[10]).toBe('too-many-requests');
    const audit = await (await admin('/api/admin/audit?kind=session')).json();
    const refused = { action: 'sign-in-refused', target: 'admin' };
    expect(audit).toMatchObject({
      items: [
        { ...refused, after: { reason: 'too-many-requests', attempts: 1 } },
        { ...refused, after: { reason: 'wrong-credentials', attempts: 1 } },
        { action: 'signed-in' },
      ],
    });
  });

  test('must differ from the previous one', async () => {
    server = await startTestServer();
    const { password } = await createAnn(await signInAdmin(server));
    const ann = server.visitor();
    await signIn(ann, 'ann', password);
    const refused = await change(ann, password, password);
    expect(await codeOf(refused)).toBe('invalid-request unchanged');
    expect(await me(ann)).toMatchObject({ hasMadePassword: true });
    const guess = 'seven calm herons';
    expect(await codeOf(await change(ann, guess, guess))).toBe('wrong-credentials');
  });

  test('does not exist for a guest', async () => {
    server = await startTestServer();
    expect((await change(server.visitor(), 'anything', 'seven calm herons')).status).toBe(401);
  });
});

describe('a chosen password', () => {
  test.each([
    ['short', 'invalid-request too_small'],
    ['Football1', 'invalid-request common'],
    ['1QAZ2WSX', 'invalid-request common'],
    ['Knowhow2026!', 'invalid-request context'],
    ['ann-1234-ann', 'invalid-request context'],
  ])('must not be "%s"', async (password, code) => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const { id, password: made } = await createAnn(admin);
    const json = { password };
    expect(await codeOf(await admin(`/api/admin/users/${id}/reset-password`, { json }))).toBe(code);
    const another = { username: 'Ann', name: 'Ann', groups: [], password };
    expect(await codeOf(await admin('/api/admin/users', { json: another }))).toBe(code);
    const ann = server.visitor();
    await signIn(ann, 'ann', made);
    expect(await codeOf(await change(ann, made, password))).toBe(code);
  });

  test('has no other rules, and may be long: every character counts', async () => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const { password } = await createAnn(admin);
    const ann = server.visitor();
    await signIn(ann, 'ann', password);
    const long = 'ä long one '.repeat(40);
    expect((await change(ann, password, `${long}a`)).status).toBe(204);
    expect((await signIn(server.visitor(), 'ann', `${long}b`)).status).toBe(401);
    expect((await signIn(server.visitor(), 'ann', `${long}a`)).status).toBe(200);
  });

  test('has the minimum length of the platform file', async () => {
    server = await startTestServer(withAuth({ passwordMinLength: 15 }));
    const admin = await signInAdmin(server);
    expect(await me(admin)).toMatchObject({ passwordMinLength: 15 });
    expect(await me(server.visitor())).not.toHaveProperty('passwordMinLength');
    const refused = await change(admin, adminPassword, 'fourteen signs');
    expect(await codeOf(refused)).toBe('invalid-request too-short');
    expect((await change(admin, adminPassword, 'fifteen letters')).status).toBe(204);
  });
});

describe('a temporary password', () => {
  test('is shown as one, until another is chosen', async () => {
    server = await startTestServer();
    const { password } = await createAnn(await signInAdmin(server));
    const ann = server.visitor();
    const signedIn = await signIn(ann, 'ann', password);
    expect(await signedIn.json()).toMatchObject({ hasMadePassword: true });
    expect(await me(ann)).toMatchObject({ hasMadePassword: true });
    await change(ann, password, 'seven calm herons');
    expect(await me(ann)).not.toHaveProperty('hasMadePassword');
    expect(await me(await signInAdmin(server))).not.toHaveProperty('hasMadePassword');
  });

  test('stays one in a restore that omits it', async () => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const ann = server.visitor();
    await signIn(ann, 'ann', (await createAnn(admin)).password);
    await importBackup(admin, await exportBackup(admin, '?data=true'));
    expect(await me(ann)).toMatchObject({ name: 'Ann', hasMadePassword: true });
  });

  test('expires when unused for a week; once used, it stays valid', async () => {
    server = await startTestServer({ environment: { ADMIN_PASSWORD: '' } });
    const made = server.newAdminPassword ?? '';
    const admin = server.visitor();
    await signIn(admin, 'admin', made);
    const { id, password } = await createAnn(admin);
    await inDatabase((database) =>
      database
        .updateTable('made_passwords')
        .set({ expires_at: ago(1) })
        .where('expires_at', 'is not', null)
        .execute(),
    );
    expect(await codeOf(await signIn(server.visitor(), 'ann', password))).toBe('password-expired');
    expect((await signIn(server.visitor(), 'ann', 'a wrong password')).status).toBe(401);
    expect((await signIn(server.visitor(), 'admin', made)).status).toBe(200);

    const reset = admin(`/api/admin/users/${id}/reset-password`, { json: {} });
    const fresh = await parseAnswer(adminUsersApi.resetPassword.response, reset);
    expect((await signIn(server.visitor(), 'ann', fresh.password ?? '')).status).toBe(200);
  });
});

describe('a session', () => {
  test('that has ended does not turn its user into a guest', async () => {
    server = await startTestServer(withAuth({ idleTimeoutMinutes: 10 }));
    const admin = await signInAdmin(server);
    const { id: user } = meSchema.parse(await me(admin));
    const path = `/api/apps/chat/chat/${randomUUID()}`;
    const turn = () => admin(path, { json: { message: 'Hello', user } });
    await (await turn()).text();
    skipSeconds(11 * 60);
    expect(await codeOf(await turn())).toBe('not-signed-in');
  });

  test('ends after its idle timeout, and is extended by each request', async () => {
    server = await startTestServer(withAuth({ idleTimeoutMinutes: 10 }));
    const admin = await signInAdmin(server);
    const setUsed = async (at: string | null) => {
      await inDatabase((database) =>
        database.updateTable('sessions').set({ last_used_at: at }).execute(),
      );
      // The server caches sessions for ten seconds.
      skipSeconds(10);
    };
    await setUsed(ago(9));
    expect(await me(admin)).toMatchObject({ isAdmin: true });
    let used = '';
    await inDatabase(async (database) => {
      const session = database.selectFrom('sessions').select('last_used_at');
      used = (await session.executeTakeFirstOrThrow()).last_used_at ?? '';
    });
    expect(used > ago(1)).toBe(true);
    // From an older version, or from a clock that has been set back since.
    for (const at of [null, ago(-600)]) {
      await setUsed(at);
      expect(await me(admin)).toMatchObject({ isAdmin: true });
    }
    await setUsed(ago(11));
    expect(await me(admin)).toMatchObject({ anonymous: true });
    await setUsed(ago(0));
    expect(await me(admin)).toMatchObject({ anonymous: true });
  });

  test("counts towards a maximum: the user's oldest session ends", async () => {
    server = await startTestServer(withAuth({ maxSessions: 2 }));
    const first = await signInAdmin(server);
    const ann = server.visitor();
    await signIn(ann, 'ann', (await createAnn(first)).password);
    const sessions = [first, ann, await signInAdmin(server), await signInAdmin(server)];
    const names = await Promise.all(
      sessions.map(async (visitor) => meSchema.parse(await me(visitor)).name),
    );
    expect(names).toEqual(['Guest', 'Ann', 'Admin', 'Admin']);
  });

  test('that has expired is deleted at the next sign-in', async () => {
    server = await startTestServer();
    await signInAdmin(server);
    await signInAdmin(server);
    await inDatabase((database) =>
      database
        .updateTable('sessions')
        .set({ expires_at: ago(1) })
        .execute(),
    );
    await signInAdmin(server);
    await inDatabase(async (database) => {
      expect(await database.selectFrom('sessions').select('id').execute()).toHaveLength(1);
    });
  });
});

describe('over https', () => {
  const https = { PUBLIC_URL: 'https://know.example', TRUST_PROXY: '1' };
  const send = (path: string, cookie = '', init: RequestInit = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: { 'x-forwarded-proto': 'https', cookie, ...init.headers },
    });
  const login = (cookie?: string) =>
    send('/api/auth/login', cookie, {
      method: 'POST',
      body: JSON.stringify({ username: 'admin', password: adminPassword }),
      headers: { 'content-type': 'application/json' },
    });

  test('the cookie cannot be set by other hosts of the domain', async () => {
    server = await startTestServer({ environment: https });
    const [cookie = ''] = (await login()).headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-knowhow_session=[^;]+; .*Path=\/; .*HttpOnly; Secure/);
    expect(cookie).not.toContain('Domain');
    const value = cookie.split(';')[0] ?? '';
    expect(await (await send('/api/auth/me', value)).json()).toMatchObject({ isAdmin: true });
    // The same value under the name that other hosts can set does not authenticate.
    const tossed = await send('/api/auth/me', value.replace('__Host-', ''));
    expect(await tossed.json()).toMatchObject({ isAdmin: false });
  });

  test('a cookie of an older version is accepted, and replaced immediately', async () => {
    const folder = await temporaryFolder();
    const key = randomBytes(32);
    await writeFiles(join(folder, 'data'), { 'session.key': key });
    server = await startTestServer({ environment: https, folder, files: defaultFiles });
    const old = jsonwebtoken.sign({ kind: 'anonymous', visitorId: 'x' }, key, { expiresIn: 600 });
    const answer = await send('/api/auth/me', `knowhow_session=${old}`);
    expect(await answer.json()).toMatchObject({ id: 'anonymous:x' });
    const cookies = answer.headers.getSetCookie();
    expect(cookies[0]).toMatch(new RegExp(`^__Host-knowhow_session=${old}; Max-Age=(600|599);`));
    expect(cookies[1]).toMatch(/^knowhow_session=;.*Expires=Thu, 01 Jan 1970/);
  });

  test('sends HSTS over https, but not over http', async () => {
    server = await startTestServer({ environment: https });
    const header = (await send('/api/health')).headers.get('strict-transport-security');
    expect(header).toBe('max-age=31536000');
    await server.close();
    server = await startTestServer({ environment: { TRUST_PROXY: '1' } });
    expect((await send('/api/health')).headers.get('strict-transport-security')).toBeNull();
  });
});

test('signing out clears the storage of pages, but no cookies of other hosts', async () => {
  server = await startTestServer();
  const admin = await signInAdmin(server);
  const response = await admin('/api/auth/logout', { method: 'POST' });
  expect(response.headers.get('clear-site-data')).toBe('"storage"');
});
