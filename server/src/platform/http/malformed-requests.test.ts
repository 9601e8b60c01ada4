import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest, requestText } from '../../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The status of the response; 0 if the connection was closed without one. */
async function statusOf(text: string): Promise<number> {
  const answer = await rawRequest(server.url, text).ended;
  return Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1] ?? 0);
}

const lives = async () => (await fetch(`${server.url}/api/health`)).status === 200;

describe('a host', () => {
  const get = (version: string, headers: string[]) =>
    [`GET /api/apps ${version}`, ...headers, 'Connection: close', '\r\n'].join('\r\n');

  test.each<[string, string]>([
    ['that is empty', get('HTTP/1.1', ['Host:'])],
    ['that is missing', get('HTTP/1.1', [])],
    ['that is missing in HTTP/1.0', get('HTTP/1.0', [])],
    ['with user info', get('HTTP/1.1', ['Host: a@127.0.0.1'])],
    ['with a path', get('HTTP/1.1', ['Host: 127.0.0.1/a'])],
    ['with an invalid port', get('HTTP/1.1', ['Host: 127.0.0.1:a'])],
    ['that is a bracket', get('HTTP/1.1', ['Host: ['])],
    ['sent twice', get('HTTP/1.1', ['Host: 127.0.0.1', 'Host: localhost'])],
  ])('rejects %s', async (_, text) => {
    expect(await statusOf(text)).toBe(400);
  });

  test.each(['127.0.0.1', '127.0.0.1:3000', 'localhost', '[::1]', '[::1]:3000'])(
    'that is %s is accepted',
    async (host) => {
      expect(await statusOf(get('HTTP/1.1', [`Host: ${host}`]))).toBe(200);
    },
  );
});

test.each([
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  '*',
  ',;q=',
  'xx-'.repeat(2700),
])('a language %s falls back to the default', async (language) => {
  const headers = { 'accept-language': language };
  const list = await fetch(`${server.url}/api/apps`, { headers });
  expect(await list.json()).toMatchObject({ items: [{ id: 'chat' }] });
  const turn = await fetch(`${server.url}/api/apps/chat/chat/${crypto.randomUUID()}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Well?' }),
  });
  expect(await turn.text()).toContain('"finishReason":"stop"');
});

describe('strange requests are never an internal error', () => {
  const body = '{"username":"a","password":"b"}';
  const login = (headers: string[], text = body) =>
    requestText('POST /api/auth/login', ['Content-Type: application/json', ...headers]) + text;
  const names = ['__proto__', 'constructor', 'toString', '%00', '%', '%ff', '%2e%2e', '..%2f..'];
  const paths = names.flatMap((name) => [
    `/${name}`,
    `/assets/${name}`,
    `/api/apps/${name}`,
    `/api/skills/${name}?app=${name}`,
    `/api/skills/meeting-notes/files/${name}`,
    `/api/conversations/${name}?${name}=${name}`,
    `/api/prompts?${name}[${name}]=1&${name}=2`,
  ]);

  test.each<[string, string]>([
    ...paths.map((path): [string, string] => [path, requestText(`GET ${path}`)]),
    ['an absolute URL', requestText('GET http://127.0.0.1/api/apps')],
    ['an absolute URL of another host', requestText('GET http://evil.example/api/apps')],
    ['a long path', requestText(`GET /api/apps?${'a'.repeat(15_000)}`)],
    ['a path that is too long', requestText(`GET /${'a'.repeat(17_000)}`)],
    ['2,000 headers', requestText('GET /api/apps', Array(2000).fill('X: 1'))],
    ['1,500 cookies', requestText('GET /api/apps', [`Cookie: ${'a=b; '.repeat(1500)}`])],
    ['an invalid cookie', requestText('GET /api/apps', ['Cookie: ;;=;__proto__=1;%'])],
    ['an invalid token', requestText('GET /api/apps', ['Authorization: Bearer a.b.c'])],
    ['a range', requestText('GET /', ['Range: bytes=999999-'])],
    ['a conditional request', requestText('GET /', ['If-Match: "x"'])],
    ['an unknown method', requestText('BREW /api/apps')],
    ['a known but unsupported method', requestText('PROPFIND /api/apps')],
    ['TRACE', requestText('TRACE /api/apps')],
    ['CONNECT', requestText('CONNECT evil.example:80')],
    ['OPTIONS', requestText('OPTIONS *')],
    ['an upgrade', requestText('GET /api/apps', ['Connection: Upgrade', 'Upgrade: websocket'])],
    ['HEAD of a page', requestText('HEAD /')],
    ['HEAD of a file', requestText('HEAD /api/skills/meeting-notes/files/references/format.md')],
    ['100-continue', login(['Expect: 100-continue', `Content-Length: ${body.length}`])],
    ['another expectation', login(['Expect: miracles', `Content-Length: ${body.length}`])],
    ['two lengths', login(['Content-Length: 1', 'Content-Length: 2'])],
    ['an invalid length', login(['Content-Length: -1'])],
    [
      'chunks and a length',
      login(['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n'),
    ],
    ['invalid chunks', login(['Transfer-Encoding: chunked'], 'zz\r\n\r\n')],
    ['another encoding', login(['Transfer-Encoding: gzip'])],
    ['chunked twice', login(['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n')],
    [
      'a body that is not gzip',
      login(['Content-Encoding: gzip', `Content-Length: ${body.length}`]),
    ],
    ['a body of __proto__', login(['Content-Length: 27'], '{"__proto__":{"username":1}}')],
  ])('%s', async (_, text) => {
    expect(await statusOf(text)).toBeLessThan(500);
    expect(await lives()).toBe(true);
  });
});

describe('a body', () => {
  const login = (body: string) =>
    fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });

  test.each<[string, string]>([
    ['levels', '['.repeat(2_000_000) + ']'.repeat(2_000_000)],
    ['lists', `[${'[],'.repeat(1_300_000)}[]]`],
    ['names', `{${'"a":1,'.repeat(600_000)}"a":1}`],
  ])('of millions of %s is rejected before it is parsed', async (_, body) => {
    const answer = await login(body);
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: 'too-large' });
  });

  test('may have any number of brackets and commas in its strings', async () => {
    const answer = await login(
      JSON.stringify({ username: 'a', password: '"\\[{,'.repeat(200_000) }),
    );
    expect(answer.status).toBe(400);
  });

  test('with thousands of unknown fields gets a short error', async () => {
    const fields = Array.from({ length: 40_000 }, (_, at) => `"${'k'.repeat(50)}${at}":1`);
    const answer = await login(`{"${'n'.repeat(1_000_000)}":1,${fields}}`);
    expect(answer.status).toBe(400);
    const text = await answer.text();
    expect(text).toContain('unknown-field');
    expect(text.length).toBeLessThan(20_000);
  });

  test('in another encoding than UTF-8 is rejected', async () => {
    const answer = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-16le' },
      body: Buffer.from('{"username":"a","password":"b"}', 'utf16le'),
    });
    expect(answer.status).toBe(415);
  });
});

describe.each(['/api/openapi.json', '/api/docs'])('%s', (path) => {
  const get = (headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

  test('is generated once, and cached by clients', async () => {
    const first = await get();
    const tag = first.headers.get('etag') ?? '';
    const text = await first.text();
    expect(tag).toContain(createHash('sha256').update(text).digest('base64url'));
    // As a browser asks; `fetch` here would drop caching headers.
    expect(await statusOf(requestText(`GET ${path}`, [`If-None-Match: ${tag}`]))).toBe(304);
    const plain = await get({ 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(text);
  });

  test('200 times takes less than 50 milliseconds each', async () => {
    await get();
    const since = performance.now();
    for (let count = 0; count < 200; count += 1) {
      await (await get()).arrayBuffer();
    }
    expect((performance.now() - since) / 200).toBeLessThan(50);
  });
});
