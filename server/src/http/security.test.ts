import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/start-test-server.ts';
import { takeTurn } from '../testing/take-turn.ts';

let server: TestServer;
afterEach(() => server.close());

const logout = (origin: string) =>
  fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers: { origin } });

describe('writes', () => {
  test('come from our own pages', async () => {
    server = await startTestServer({ environment: { PUBLIC_URL: 'https://know.example' } });
    expect((await logout(server.url)).status).toBe(204);
    expect((await logout('https://know.example')).status).toBe(204);
    for (const foreign of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      const response = await logout(foreign);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'foreign-origin' });
    }
  });
});

test('on loopback, another host name is refused: a page cannot rebind its name to us', async () => {
  server = await startTestServer();
  const status = await new Promise((resolve) => {
    const { hostname, port } = new URL(server.url);
    const headers = { host: 'evil.example' };
    request({ hostname, port, path: '/api/apps', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(status).toBe(403);
});

describe('limits', () => {
  test('of requests and turns are told with the time to wait', async () => {
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
});

describe('a body', () => {
  const send = (body: string, type = 'application/json') =>
    server.visitor()('/api/auth/login', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });

  test('that is not JSON, or too large, or of another type is a problem, never a 500', async () => {
    server = await startTestServer();
    expect(await (await send('{')).json()).toMatchObject({ status: 400, code: 'bad-request' });
    expect(await (await send(`"${'x'.repeat(5_000_000)}"`)).json()).toMatchObject({ status: 413 });
    expect(await (await send('{}', 'application/json; charset=nonsense')).json()).toMatchObject({
      status: 415,
    });
    expect(await (await send('a=b', 'text/plain')).json()).toMatchObject({ status: 400 });
    expect(await (await send('null')).json()).toMatchObject({ status: 400 });
  });
});

test('every answer carries the headers that keep a browser safe', async () => {
  server = await startTestServer();
  const { headers } = await server.visitor()('/api/apps');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('the API describes itself, for machines and for people', async () => {
  server = await startTestServer();
  const visitor = server.visitor();
  const document = await (await visitor('/api/openapi.json')).json();
  expect(document).toMatchObject({
    openapi: '3.1.0',
    paths: {
      '/api/apps/{appId}/chat/{conversationId}': {
        post: { requestBody: { required: true }, 'x-access': 'user' },
      },
      '/api/skills/{name}/files/{path}': {
        get: { parameters: [{ name: 'name' }, { name: 'path' }, { name: 'app' }] },
      },
    },
  });
  const page = await (await visitor('/api/docs')).text();
  expect(page).toContain('/api/skills/:name/files/*path');
});
