import { join } from 'node:path';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { secondFactorApi } from '@knowhow/shared/access/second-factor';
import { problemSchema } from '@knowhow/shared/problem';
import { generate } from 'otplib';
import { afterEach, describe, expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
afterEach(() => server.close());

const address = '/api/account/second-factor';
const inJson = { password: adminPassword };
const signIn = (code?: string, visitor = server.visitor(), headers = {}) => {
  const json = { username: 'admin', password: adminPassword, ...(code && { code }) };
  return visitor('/api/auth/login', { json, headers });
};
const codeOf = async (response: Response) => problemSchema.parse(await response.json()).code;
/** The code that an app shows `ahead` steps from now. */
const codeAt = (secret: string, ahead = 0) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + ahead * 30 });

/** Enabled for `admin`; the current code has been used for that. */
async function switchOn(admin: Visitor) {
  const begun = await parseAnswer(secondFactorApi.begin.response, admin(address, { json: inJson }));
  const json = { code: await codeAt(begun.secret) };
  const { recoveryCodes } = await parseAnswer(
    secondFactorApi.confirm.response,
    admin(address, { method: 'PUT', json }),
  );
  return { ...begun, recoveryCodes, used: json.code };
}

const proxied = { environment: { TRUST_PROXY: 'true' } };
const from = (ip: string) => ({ 'X-Forwarded-For': ip });

describe('a second factor', () => {
  test('is enabled with the password and the app; each code is valid once', async () => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const wrong = await admin(address, { json: { password: 'not that one' } });
    expect([wrong.status, await codeOf(wrong)]).toEqual([401, 'wrong-credentials']);
    const begun = await admin(address, { json: inJson });
    expect(await begun.json()).toMatchObject({
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Knowhow:admin\?secret=/),
    });
    // Setup has only started: no code is required.
    expect((await signIn()).status).toBe(200);
    const early = await admin(address, { method: 'PUT', json: { code: '000' } });
    expect(await codeOf(early)).toBe('wrong-code');

    const { secret, recoveryCodes, used } = await switchOn(admin);
    expect(recoveryCodes).toHaveLength(10);
    expect(await codeOf(await admin(address, { json: inJson }))).toBe('conflict');
    const missing = await signIn();
    expect([missing.status, await codeOf(missing)]).toEqual([401, 'second-factor-required']);
    expect(await codeOf(await signIn(used))).toBe('wrong-code');
    const next = await codeAt(secret, 1);
    expect((await signIn(`${next.slice(0, 3)} ${next.slice(3)}`)).status).toBe(200);
    expect(await codeOf(await signIn(next))).toBe('wrong-code');

    const [first = ''] = recoveryCodes;
    expect((await signIn(first.toUpperCase())).status).toBe(200);
    expect(await codeOf(await signIn(first))).toBe('wrong-code');
    expect(await (await admin(address)).json()).toEqual({ isOn: true, recoveryCodes: 9 });
    const others = await admin(`${address}/recovery-codes`, { json: inJson });
    expect(others.status).toBe(200);
    expect(await codeOf(await signIn(recoveryCodes[1]))).toBe('wrong-code');

    expect((await admin(`${address}/removal`, { json: inJson })).status).toBe(204);
    expect((await signIn()).status).toBe(200);
    const audit = await (await admin('/api/admin/audit?kind=user')).json();
    expect(audit).toMatchObject({
      items: [
        { action: 'second-factor-off' },
        { action: 'recovery-codes-renewed' },
        { action: 'second-factor-on', target: 'admin' },
      ],
    });
  });

  test('cannot be guessed; guessing does not lock out users at a known address, or with a recovery code', async () => {
    server = await startTestServer(proxied);
    const admin = server.visitor();
    await signIn(undefined, admin, from('192.0.2.1'));
    const { secret, recoveryCodes } = await switchOn(admin);
    const answers = [];
    for (let tried = 0; tried < 12; tried += 1) {
      const elsewhere = from(`198.51.100.${tried}`);
      answers.push(await codeOf(await signIn('000000', server.visitor(), elsewhere)));
    }
    expect(answers.slice(0, 10).every((code) => code === 'wrong-code')).toBe(true);
    expect(answers.slice(10)).toEqual(['too-many-requests', 'too-many-requests']);
    const stranger = from('203.0.113.1');
    const right = await codeAt(secret, 1);
    const refused = await signIn(right, server.visitor(), stranger);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await signIn(recoveryCodes[0], server.visitor(), stranger)).status).toBe(200);
    const known = await signIn(right, server.visitor(), from('192.0.2.1'));
    expect(known.status).toBe(200);
  });

  test('is reset by an administrator, shown in the list of users, and kept by a restore', async () => {
    server = await startTestServer();
    const admin = await signInAdmin(server);
    const { secret } = await switchOn(admin);
    const database = await openTestDatabase(join(server.folder, 'data'));
    const rows = await database.selectFrom('second_factors').selectAll().execute();
    await database.destroy();
    expect(JSON.stringify(rows)).not.toContain(secret);
    await importBackup(admin, await exportBackup(admin, '?data=true'));
    expect(await codeOf(await signIn())).toBe('second-factor-required');
    const users = await parseAnswer(adminUsersApi.list.response, admin('/api/admin/users'));
    expect(users.items[0]).toMatchObject({ username: 'admin', hasSecondFactor: true });
    const path = `/api/admin/users/${users.items[0]?.id}/second-factor`;
    expect((await admin(path, { method: 'DELETE' })).status).toBe(204);
    expect((await signIn()).status).toBe(200);
  });
});
