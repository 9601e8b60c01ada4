import { afterEach, expect, test } from 'vitest';
import {
  adminPassword,
  startTestServer,
  type TestServer,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
afterEach(() => server.close());

/** Behind a proxy that reports the client address. */
const proxied = { environment: { TRUST_PROXY: '1' } };

const signIn = (password: string, from = '192.0.2.1') =>
  server.visitor()('/api/auth/login', {
    json: { username: 'admin', password },
    headers: { 'x-forwarded-for': from },
  });

test('fifty concurrent sign-ins do not block others, and excess ones are told when to retry', async () => {
  const platform = { rateLimit: { requests: 0, failedLogins: 0 } };
  server = await startTestServer({
    passwordRounds: 9,
    files: { 'config/platform.json': platform },
  });
  let isOver = false;
  const signIns = Promise.all(
    Array.from({ length: 60 }, (_, index) => signIn(index % 2 ? adminPassword : 'wrong password')),
  ).finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  while (!isOver) {
    const asked = performance.now();
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    waits.push(performance.now() - asked);
  }
  const answers = await signIns;
  // Ignores the slowest twentieth, because of a busy machine.
  const [slowest = 0] = waits.toSorted((one, other) => other - one).slice(waits.length / 20);
  expect(slowest).toBeLessThan(300);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(10);
}, 120_000);

test('a single sign-in does not wait for a flood from elsewhere', async () => {
  const platform = { rateLimit: { requests: 0, failedLogins: 0 } };
  server = await startTestServer({
    ...proxied,
    passwordRounds: 9,
    files: { 'config/platform.json': platform },
  });
  let answered = 0;
  const flood = Array.from({ length: 30 }, async () => {
    await signIn('a wrong password', '192.0.2.1');
    answered += 1;
  });
  await waitFor(async () => answered > 0);
  expect((await signIn(adminPassword, '192.0.2.2')).status).toBe(200);
  expect(answered).toBeLessThan(15);
  await Promise.all(flood);
}, 60_000);
