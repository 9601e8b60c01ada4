import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { rawRequest, requestText } from '../../testing/raw-request.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
} from '../../testing/start-test-server.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { bodyTimeout } from './limit-bodies.ts';

let server: TestServer;
afterEach(() => server.close());

/** The first part of a sign-in request (slowloris). */
const halfLogin = `${requestText('POST /api/auth/login', [
  'Content-Type: application/json',
  'Content-Length: 1000',
])}{"username": "adm`;

/** Signs in from a loopback address; returns the status. */
function signIn(from: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const call = request({
      hostname,
      port,
      localAddress: from,
      agent: false,
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
    });
    call.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.once('error', reject);
    call.end(JSON.stringify({ username: 'admin', password: adminPassword }));
  });
}

/** Linux accepts all of 127.0.0.0/8. */
describe.runIf(process.platform === 'linux')('2,000 half-sent sign-ins from one address', () => {
  test('do not keep others from signing in within a second', async () => {
    server = await startTestServer();
    server.server.maxConnections = 1500;
    const open = Array.from({ length: 2000 }, () => rawRequest(server.url, halfLogin).socket);
    await waitFor(() => open.filter(({ closed }) => !closed).length <= 1000);
    const since = performance.now();
    expect(await signIn('127.0.0.2')).toBe(200);
    expect(performance.now() - since).toBeLessThan(1000);
  });
});

describe('an address', () => {
  const held = async (environment: Record<string, string>) => {
    server = await startTestServer({ environment });
    const open = Array.from({ length: 5 }, () => rawRequest(server.url, halfLogin).socket);
    await waitFor(() => open.every(({ connecting, destroyed }) => !connecting || destroyed));
    const one = await rawRequest(server.url, requestText('GET /api/health')).ended;
    return { open: open.filter(({ closed }) => !closed).length, one: one.slice(0, 12) };
  };

  const all = { open: 5, one: 'HTTP/1.1 200' };

  test('has a maximum of connections', async () => {
    expect(await held({ CONNECTIONS_PER_ADDRESS: '3' })).toEqual({ open: 3, one: '' });
  });

  test('is unlimited without a limit, or as a trusted proxy', async () => {
    expect(await held({ CONNECTIONS_PER_ADDRESS: '0' })).toEqual(all);
    await server.close();
    expect(await held({ CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: 'loopback' })).toEqual(all);
  });
});

test('when connections run out, idle ones are closed', async () => {
  server = await startTestServer();
  server.server.maxConnections = 5;
  const get = 'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  const idle = Array.from({ length: 5 }, () => rawRequest(server.url, get));
  await waitFor(() => idle.every(({ heard }) => heard.includes('200 OK')));
  await waitFor(async () => (await signIn('127.0.0.1').catch(() => 0)) === 200);
});

describe('a body', () => {
  test('that does not arrive in time is a problem, and the connection ends', async () => {
    server = await startTestServer();
    server.app.http.set(bodyTimeout, 300);
    const answer = await rawRequest(server.url, halfLogin).ended;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"too-slow","detail":"The body did not come within 1 s."');
  });

  test('that trickles in after its response ends with the connection', async () => {
    server = await startTestServer();
    server.app.http.set(bodyTimeout, 300);
    const get = `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n`;
    expect(await rawRequest(server.url, get).ended).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each<[string, string, number]>([
    [
      'of an anonymous client',
      requestText('POST /api/admin/skills', ['Content-Length: 4000000']),
      401,
    ],
    [
      'from a foreign page',
      requestText('POST /api/auth/login', ['Origin: https://evil.example', 'Content-Length: 9999']),
      403,
    ],
    [
      'that is too large',
      requestText('POST /api/auth/login', [
        'Content-Type: application/json',
        'Content-Length: 99999999',
      ]),
      413,
    ],
    ['for an unknown path', requestText('POST /api/nope', ['Transfer-Encoding: chunked']), 404],
  ])('%s is answered before it arrives, and the connection ends', async (_, head, status) => {
    server = await startTestServer();
    const answer = await rawRequest(server.url, head.replace('Connection: close\r\n', '')).ended;
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('Connection: close');
  });

  test('that is rejected early does not cut off a client that is still sending', async () => {
    server = await startTestServer();
    const body = new Uint8Array(20_000_000);
    const answer = await fetch(`${server.url}/api/admin/skills/import`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ code: 'not-signed-in' });
  });

  test('that is rejected also drops requests pipelined behind it', async () => {
    server = await startTestServer();
    const first = requestText('POST /api/nope', ['Content-Length: 5']);
    const { socket, ended } = rawRequest(server.url, first.replace('Connection: close\r\n', ''));
    await waitFor(() => socket.bytesRead > 0);
    socket.write('12345GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect((await ended).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
