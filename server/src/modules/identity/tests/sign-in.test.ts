import { readdir } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { adminApi } from '@knowhow/shared/config/admin';
import { afterEach, describe, expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
afterEach(() => server.close());

/** Behind a proxy that reports the client address. */
const proxied = { environment: { TRUST_PROXY: '1' } };

const signIn = (password: string, from = '192.0.2.1', username = 'admin') =>
  server.visitor()('/api/auth/login', {
    json: { username, password },
    headers: { 'x-forwarded-for': from },
  });

async function guess(times: number, from: string | ((index: number) => string), username?: string) {
  const statuses = [];
  for (let index = 0; index < times; index += 1) {
    const address = typeof from === 'string' ? from : from(index);
    statuses.push((await signIn('a wrong password', address, username)).status);
  }
  return statuses;
}

describe('wrong guesses', () => {
  test('do not lock out users at other addresses', async () => {
    server = await startTestServer(proxied);
    const statuses = await guess(12, '192.0.2.1');
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const here = await signIn(adminPassword, '192.0.2.1');
    expect(here.status).toBe(429);
    const retryAfter = Number(here.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(6);
    expect((await signIn(adminPassword, '192.0.2.2')).status).toBe(200);
  });

  test.each([
    ['of one IPv6 /64', (index: number) => `2001:db8:1:2:${index}::1`, '2001:db8:1:3::1'],
    [
      'of one IPv4 address, however it is written',
      (index: number) => (index % 2 ? '192.0.2.7' : '::ffff:192.0.2.7'),
      '::ffff:192.0.2.8',
    ],
  ])('%s count together', async (_name, addresses, another) => {
    server = await startTestServer(proxied);
    expect((await guess(11, addresses)).at(-1)).toBe(429);
    expect((await signIn('a wrong password', another)).status).toBe(401);
  });

  test('at one name from everywhere are delayed, and the right one succeeds', async () => {
    server = await startTestServer(proxied);
    const addresses = Array.from({ length: 16 }, (_, index) => `198.51.100.${index}`);
    for (const address of addresses) {
      expect((await signIn('a wrong password', address)).status).toBe(401);
    }
    const began = performance.now();
    expect((await signIn(adminPassword, '203.0.113.1')).status).toBe(200);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(2900);
    expect(took).toBeLessThan(10_000);
  }, 60_000);
});

test.each([20, 40])('%i concurrent right sign-ins from one address all succeed', async (count) => {
  server = await startTestServer(proxied);
  const signIns = Array.from({ length: count }, () => signIn(adminPassword));
  const statuses = (await Promise.all(signIns)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('of 300 concurrent wrong sign-ins from one address ten are checked', async () => {
  server = await startTestServer(proxied);
  const signIns = Array.from({ length: 300 }, (_, index) =>
    signIn('a wrong password', '192.0.2.1', index % 2 ? 'admin' : `user${index}`),
  );
  const statuses = (await Promise.all(signIns)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(12);
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
});

test("visitors' requests count by IPv6 /64, too", async () => {
  const platform = { anonymousAuth: { enabled: true }, rateLimit: { requests: 3 } };
  server = await startTestServer({ ...proxied, files: { 'config/platform.json': platform } });
  const statusFrom = async (address: string) => {
    const headers = { 'x-forwarded-for': address };
    return (await fetch(`${server.url}/api/apps`, { headers })).status;
  };
  for (let index = 0; index < 3; index += 1) {
    expect(await statusFrom(`2001:db8::${index}:0:0:1`)).toBe(200);
  }
  expect(await statusFrom('2001:db8::9:0:0:1')).toBe(429);
  // Of another /64, but of the same /56.
  expect(await statusFrom('2001:db8:0:1::1')).toBe(200);
});

test.runIf(process.platform === 'linux')('passwords are hashed at a lower priority', async () => {
  server = await startTestServer();
  await signInAdmin(server);
  const priorities = (await readdir('/proc/self/task')).map((thread) =>
    getPriority(Number(thread)),
  );
  expect(priorities).toContain(constants.priority.PRIORITY_BELOW_NORMAL);
  expect(getPriority()).not.toBe(constants.priority.PRIORITY_BELOW_NORMAL);
});

test('warns of TRUST_PROXY=true', async () => {
  server = await startTestServer({ environment: { TRUST_PROXY: 'true' } });
  expect(server.app.warnings).toEqual([expect.stringContaining('TRUST_PROXY=true')]);
  const admin = await signInAdmin(server);
  const status = await parseAnswer(adminApi.status.response, admin('/api/admin/status'));
  expect(status.warnings).toEqual(server.app.warnings);
});

describe('the audit log', () => {
  const sessionsOf = async () => {
    const admin = await signInAdmin(server);
    const page = admin('/api/admin/audit?kind=session&limit=100');
    return (await parseAnswer(adminApi.audit.response, page)).items.slice(1);
  };

  test('contains who signed in and out, and from where', async () => {
    server = await startTestServer(proxied);
    const visitor = server.visitor();
    const headers = { 'x-forwarded-for': '192.0.2.9' };
    const json = { username: 'Admin', password: adminPassword };
    await visitor('/api/auth/login', { json, headers });
    await visitor('/api/auth/logout', { method: 'POST', headers });
    const who = { userName: 'Admin', target: 'admin', after: { address: '192.0.2.9' } };
    expect(await sessionsOf()).toMatchObject([
      { ...who, action: 'signed-out' },
      { ...who, action: 'signed-in' },
    ]);
  });

  test('contains rejections once, then their number, with a limit of names', async () => {
    server = await startTestServer(proxied);
    await guess(30, '192.0.2.1', 'x'.repeat(200));
    for (let index = 0; index < 100; index += 1) {
      await guess(1, `198.51.100.${index}`, `mallory${index}`);
    }
    const at = { action: 'sign-in-refused' };
    const before = await sessionsOf();
    expect(before).toHaveLength(20);
    expect(before.at(-1)).toMatchObject({
      ...at,
      userName: '192.0.2.1',
      target: 'x'.repeat(64),
      after: { reason: 'wrong-credentials', attempts: 1 },
    });
    // Pending counts are written when the minute is over, or the server stops.
    const { folder } = server;
    await server.stop();
    server = await startTestServer({ folder });
    const entries = (await sessionsOf()).filter(({ action }) => action === 'sign-in-refused');
    expect(entries.length).toBeLessThan(30);
    const attempts = entries.map(({ after }) => (after as { attempts: number }).attempts);
    expect(attempts.reduce((sum, each) => sum + each)).toBe(130);
  }, 60_000);
});
