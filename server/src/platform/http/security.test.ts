import { createHash } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { rawRequest } from '../../testing/raw-request.ts';
import {
  adminPassword,
  startTestServer,
  type TestServer,
} from '../../testing/start-test-server.ts';
import { takeTurn } from '../../testing/take-turn.ts';

let server: TestServer;
afterEach(() => server.close());

const logout = (origin: string) =>
  fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers: { origin } });

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
}

/** Sends raw headers, including those that `fetch` reserves. */
function send(method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    request({ hostname, port, method, path, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });
}

/** A write with a session cookie. */
const write = async (headers: Record<string, string>) => {
  const cookie = 'knowhow_session=x';
  return (await send('POST', '/api/auth/logout', { cookie, ...headers })).status;
};

describe('writes', () => {
  test('must come from our own pages (CSRF)', async () => {
    server = await startTestServer({ environment: { PUBLIC_URL: 'https://know.example' } });
    expect((await logout(server.url)).status).toBe(204);
    expect((await logout('https://know.example')).status).toBe(204);
    for (const foreign of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const response = await logout(foreign);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'foreign-origin' });
    }
  });

  test('must come over https if PUBLIC_URL says so', async () => {
    server = await startTestServer({ environment: { PUBLIC_URL: 'https://know.example' } });
    const at = (origin: string) => write({ host: 'know.example', origin });
    expect(await at('https://know.example')).toBe(204);
    expect(await at('http://know.example')).toBe(403);
    expect(await write({ referer: 'http://know.example/skills' })).toBe(403);
  });

  test('must come over https if a trusted proxy says so; without one, TLS may have been terminated', async () => {
    server = await startTestServer({ environment: { TRUST_PROXY: '1' } });
    const { host } = new URL(server.url);
    const proxied = { 'x-forwarded-proto': 'https' };
    expect(await write({ ...proxied, origin: `https://${host}` })).toBe(204);
    expect(await write({ ...proxied, origin: `http://${host}` })).toBe(403);
    expect(await write({ origin: `https://${host}` })).toBe(204);
    expect(await write({ origin: `http://${host}` })).toBe(204);
  });

  test('without an Origin are checked by other browser headers; scripts send none', async () => {
    server = await startTestServer();
    expect(await write({})).toBe(204);
    for (const [site, status] of Object.entries({
      'same-origin': 204,
      none: 204,
      'same-site': 403,
      'cross-site': 403,
    })) {
      expect(await write({ 'sec-fetch-site': site })).toBe(status);
    }
    expect(await write({ referer: `${server.url}/skills` })).toBe(204);
    expect(await write({ referer: 'https://evil.example/' })).toBe(403);
    expect(await write({ referer: `${server.url}/`, 'sec-fetch-site': 'same-site' })).toBe(403);
  });

  test('with a bearer token may come from anywhere', async () => {
    server = await startTestServer();
    const origin = 'https://evil.example';
    expect(await write({ origin, authorization: 'Bearer x' })).toBe(204);
    // A browser may send these automatically.
    expect(await write({ origin, authorization: 'Basic eDp5' })).toBe(403);
  });

  test('to sign in must come from our own pages, also without a cookie', async () => {
    server = await startTestServer();
    const { status, headers } = await send('POST', '/api/auth/login', {
      'sec-fetch-site': 'cross-site',
    });
    expect(status).toBe(403);
    expect(headers['set-cookie']).toBeUndefined();
  });
});

describe('the session cookie', () => {
  const cookieAt = async (headers: Record<string, string>) =>
    String((await send('GET', '/api/auth/me', headers)).headers['set-cookie']);

  test('is for https only at the PUBLIC_URL, even if no proxy reports https', async () => {
    server = await startTestServer({ environment: { PUBLIC_URL: 'https://know.example' } });
    expect(await cookieAt({ host: 'know.example' })).toContain('; Secure');
    expect(await cookieAt({})).not.toContain('Secure');
  });

  test('works over http if PUBLIC_URL is http, and is for https if a trusted proxy reports it', async () => {
    const environment = { PUBLIC_URL: 'http://know.example', TRUST_PROXY: '1' };
    server = await startTestServer({ environment });
    expect(await cookieAt({ host: 'know.example' })).not.toContain('Secure');
    expect(await cookieAt({ 'x-forwarded-proto': 'https' })).toContain('; Secure');
  });
});

test('on loopback, rejects other host names (DNS rebinding)', async () => {
  server = await startTestServer();
  const { status } = await send('GET', '/api/apps', { host: 'evil.example' });
  expect(status).toBe(403);
});

test.each<Record<string, string>>([
  { HOST: '127.0.0.1' },
  { HOST: '0.0.0.0' },
  { PUBLIC_URL: 'https://know.example' },
])('health and readiness answer under any host name, with %o', async (environment) => {
  server = await startTestServer({ environment });
  for (const path of ['/api/health', '/api/ready']) {
    for (const host of ['10.0.0.7:3000', 'knowhow.svc.cluster.local', 'evil.example', 'a b']) {
      expect((await send('GET', path, { host })).status, host).toBe(200);
    }
    const answer = await rawRequest(server.url, `GET ${path} HTTP/1.0\r\n\r\n`).ended;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  }
  expect((await send('POST', '/api/ready', { host: 'evil.example' })).status).not.toBe(200);
});

describe('limits', () => {
  test('of requests and turns are reported with the time to wait', async () => {
    server = await startTestServer({
      files: { 'config/platform.json': { rateLimit: { requests: 4, turns: 1 } } },
    });
    const visitor = server.visitor();
    expect((await takeTurn(visitor, { message: 'A' })).status).toBe(200);
    expect((await takeTurn(visitor, { message: 'A' })).status).toBe(429);
    expect((await visitor('/api/apps')).status).toBe(200);
    expect((await visitor('/api/apps')).status).toBe(200);
    const limited = await visitor('/api/apps');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await limited.json()).toMatchObject({ code: 'too-many-requests' });
  });

  test('do not apply to monitoring', async () => {
    server = await startTestServer({
      files: { 'config/platform.json': { rateLimit: { requests: 1 } } },
    });
    const visitor = server.visitor();
    await visitor('/api/apps');
    expect((await visitor('/api/apps')).status).toBe(429);
    expect((await visitor('/api/health')).status).toBe(200);
    expect((await visitor('/api/ready')).status).toBe(200);
  });

  test('of wrong passwords apply to concurrent ones; right ones do not count', async () => {
    server = await startTestServer({
      files: { 'config/platform.json': { rateLimit: { requests: 0, failedLogins: 3 } } },
    });
    const visitor = server.visitor();
    const login = async (username: string, password: string) =>
      (await visitor('/api/auth/login', { json: { username, password } })).status;
    for (let round = 0; round < 4; round += 1) {
      expect(await login('admin', adminPassword)).toBe(200);
    }
    const wrong = await Promise.all(
      Array.from({ length: 12 }, () => login('nobody', 'a wrong password')),
    );
    expect(wrong.filter((status) => status === 401)).toHaveLength(3);
    expect(wrong.filter((status) => status === 429)).toHaveLength(9);
  });
});

describe('a body', () => {
  const login = (body: string, type = 'application/json') =>
    server.visitor()('/api/auth/login', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });

  test('that is not JSON, too large, or of another type is a problem, never a 500', async () => {
    server = await startTestServer();
    expect(await (await login('{')).json()).toMatchObject({ status: 400, code: 'bad-request' });
    expect(await (await login(`"${'x'.repeat(5_000_000)}"`)).json()).toMatchObject({ status: 413 });
    expect(await (await login('{}', 'application/json; charset=nonsense')).json()).toMatchObject({
      status: 415,
    });
    expect(await (await login('a=b', 'text/plain')).json()).toMatchObject({ status: 400 });
    expect(await (await login('null')).json()).toMatchObject({ status: 400 });
  });

  test('may be {} where none is expected, and nothing more', async () => {
    server = await startTestServer();
    const logout = (json: unknown) => server.visitor()('/api/auth/logout', { json });
    expect((await logout({})).status).toBe(204);
    const refused = await logout({ everywhere: true });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ issues: [{ path: 'everywhere' }] });
  });

  test('of an unauthorised client is not read', async () => {
    server = await startTestServer();
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } };
    expect((await server.visitor()('/api/admin/skills', broken)).status).toBe(401);
  });
});

test('every response has the security headers', async () => {
  server = await startTestServer();
  const { headers } = await server.visitor()('/api/apps');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(headers.get('content-security-policy')).not.toContain('unsafe-inline');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('the API documents itself, for machines and for people', async () => {
  server = await startTestServer();
  const visitor = server.visitor();
  const document = await (await visitor('/api/openapi.json')).json();
  expect(document).toMatchObject({
    openapi: '3.1.0',
    paths: {
      '/api/apps/{appId}/chat/{conversationId}': {
        post: { requestBody: { required: true }, 'x-access': 'user' },
      },
      '/api/auth/logout': { post: expect.not.objectContaining({ requestBody: expect.anything() }) },
      '/api/skills/{name}/files/{path}': {
        get: { parameters: [{ name: 'name' }, { name: 'path' }, { name: 'app' }] },
      },
    },
  });
  const answer = await visitor('/api/docs');
  const page = await answer.text();
  expect(page).toContain('/api/skills/:name/files/*path');
  const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(answer.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
});
