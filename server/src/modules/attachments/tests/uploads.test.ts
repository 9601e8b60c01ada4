import { randomUUID } from 'node:crypto';
import { api } from '@knowhow/shared/api';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest, requestText } from '../../../testing/raw-request.ts';
import { adminCookie } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer();
  cookie = await adminCookie(server);
});
afterAll(() => server.close());

const uploads = Object.values<Record<string, AnyEndpoint>>(api)
  .flatMap((endpoints) => Object.values(endpoints))
  .filter(({ kind }) => kind === 'upload')
  .map(({ method, path, query }): [string] => [
    `${method} ${path.replace(':name', 'meeting-notes').replace('*path', 'a.txt').replace(':id', randomUUID())}${'app' in query.shape ? '?app=chat' : ''}`,
  ]);

const formType = 'Content-Type: multipart/form-data; boundary=b';
const file = (name: string, content = 'Something.') =>
  part(`Content-Disposition: form-data; name="${name}"; filename="a.zip"`, content);
const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const end = '--b--\r\n';

/** Complete bodies that are not a form with one file. */
const broken: [string, { type?: string; body: string }][] = [
  ['is cut off in the file', { body: file('file').slice(0, -4) }],
  ['is cut off in an unexpected file', { body: file('other').slice(0, -4) }],
  ['is cut off in the headers of a part', { body: '--b\r\nContent-Disposition: form-da' }],
  ['is cut off after the file', { body: file('file') }],
  ['is cut off in a second file', { body: file('file') + file('file').slice(0, -4) }],
  ['has a file of another name', { body: file('other') + end }],
  ['has two files', { body: file('file') + file('file', 'Another.') + end }],
  ['has three files', { body: file('a') + file('file') + file('file') + end }],
  ['has no boundary', { type: 'Content-Type: multipart/form-data', body: file('file') + end }],
  ['has another boundary', { type: `${formType}c`, body: file('file') + end }],
  ['is empty', { body: '' }],
  ['has no part', { body: end }],
  ['has a field instead of the file', { body: fieldOf('file') + end }],
  [
    'contains another form',
    {
      body: `${part(
        'Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=c',
        '--c\r\nContent-Disposition: attachment; filename="a.zip"\r\n\r\nx\r\n--c--',
      )}${end}`,
    },
  ],
  ['has 5,000 fields', { body: fieldOf('a').repeat(5000) + end }],
  ['has 5,000 files', { body: file('a').repeat(5000) + end }],
  ['has endless headers', { body: `--b\r\nX: ${'x'.repeat(100_000)}` }],
  ['has an invalid header', { body: `--b\r\n\u0000\r\n\r\nx\r\n${end}` }],
  ['has many invalid headers', { body: `--b\r\n\u0000\r\n\r\nx\r\n`.repeat(100) + end }],
];

function fieldOf(name: string): string {
  return part(`Content-Disposition: form-data; name="${name}"`, 'Something.');
}

const headersOf = (type: string, length: number) => [
  `Cookie: ${cookie}`,
  type,
  `Content-Length: ${length}`,
];

describe.each(uploads)('%s', (line) => {
  test.each(broken)('explains what is wrong with a form that %s', async (_, { type, body }) => {
    const head = requestText(line, headersOf(type ?? formType, Buffer.byteLength(body)));
    const answer = await rawRequest(server.url, head + body).ended;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/"code":"(?:bad-request|invalid-request)","detail":"[A-Z].{10,}/);
  });

  test.each(broken)(
    'survives a client that disconnects during a form that %s',
    async (_, { type, body }) => {
      const head = requestText(line, headersOf(type ?? formType, body.length + 1000));
      const { socket, ended } = rawRequest(server.url, head + body);
      await new Promise<void>((resolve) => socket.end(resolve));
      socket.destroy();
      await ended;
      expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    },
  );
});
