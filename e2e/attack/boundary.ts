import type { Field } from './field.ts';
import { exchange } from './raw-socket.ts';

/**
 * Sends headers that our pages never send, and requests that proxies and servers parse differently (request
 * smuggling).
 */
export async function attackBoundary(field: Field): Promise<void> {
  await refusesExports(field);
  await refusesForeignWrites(field);
  await answersOddHeaders(field);
  for (const [name, raw] of Object.entries(rawRequests(field))) {
    if (!field.isOver) {
      await sendRaw(field, name, raw);
    }
  }
}

const exports = [
  '/api/admin/backup/export',
  '/api/admin/skills/meeting-notes/export',
  '/api/admin/export/skills?names=meeting-notes',
];

async function refusesExports(field: Field): Promise<void> {
  const foreign = [
    { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' },
  ];
  const own: Record<string, string>[] = [
    {},
    { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
  ];
  for (const path of exports) {
    for (const headers of foreign) {
      await expectStatus(field, { path, headers }, 403);
    }
    for (const headers of own) {
      await expectStatus(field, { path, headers }, 200);
    }
  }
}

async function refusesForeignWrites(field: Field): Promise<void> {
  const path = '/api/admin/skills/victim/move';
  const writes = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: `${field.knowhow.url}.evil.example` },
    { origin: '' },
    { origin: 'http://[' },
  ];
  for (const headers of writes) {
    await expectStatus(field, { method: 'POST', path, headers }, 403);
  }
}

interface Expected {
  method?: string;
  path: string;
  headers: Record<string, string>;
}

async function expectStatus(field: Field, request: Expected, expected: number): Promise<void> {
  const { method = 'GET', path, headers } = request;
  const { status } = await field.ask({ method, path, headers }, { as: 'admin' });
  const what = `${method} ${path} with ${JSON.stringify(headers)}`;
  field.check(status === expected, `${status} instead of ${expected} for ${what}.`);
}

async function answersOddHeaders(field: Field): Promise<void> {
  const values = [
    'constructor',
    '__proto__',
    'toString;q=1',
    'de-'.repeat(2000),
    '*;q=9',
    ',,,;;=',
  ];
  const names = ['accept-language', 'accept', 'accept-encoding', 'if-match', 'range', 'cookie'];
  for (const name of [
    ...names,
    'authorization',
    'if-none-match',
    'content-type',
    'x-forwarded-for',
  ]) {
    for (const value of values) {
      for (const path of ['/api/apps', '/api/skills/meeting-notes/files/SKILL.md', '/']) {
        const headers = { [name]: value, origin: field.knowhow.url };
        await field.ask(
          { method: 'GET', path, headers },
          { as: name === 'cookie' ? undefined : 'user' },
        );
      }
    }
  }
}

interface RawRequest {
  text: string;
  /** Matches the comma-separated statuses of all responses. */
  status: RegExp;
}

async function sendRaw(field: Field, name: string, { text, status }: RawRequest): Promise<void> {
  field.requests += 1;
  const answer = await exchange(field.knowhow.url, text, { timeoutMs: 1000, end: true });
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => code);
  const isRight = status.test(statuses.join());
  field.check(isRight, `raw, ${name}: answered with ${statuses.join() || 'nothing'}.`);
}

function rawRequests(field: Field): Record<string, RawRequest> {
  const { host } = new URL(field.knowhow.url);
  const hostLine = `Host: ${host}\r\n`;
  const second = `GET /api/ready HTTP/1.1\r\n${hostLine}\r\n`;
  const post = `POST /api/auth/logout HTTP/1.1\r\n${hostLine}`;
  const refused = (text: string) => ({ text, status: /^4\d\d$/ });
  const answered = (text: string) => ({ text, status: /^([234]\d\d)?$/ });
  const get = (path: string) => `GET ${path} HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`;
  return {
    'no Host': refused('GET /api/apps HTTP/1.1\r\n\r\n'),
    'an empty Host': refused('GET /api/apps HTTP/1.1\r\nHost: \r\n\r\n'),
    'a foreign Host': refused('GET /api/apps HTTP/1.1\r\nHost: evil.example\r\n\r\n'),
    'two Hosts': refused(`GET /api/apps HTTP/1.1\r\nHost: evil.example\r\n${hostLine}\r\n`),
    'a Host with a user': refused(`GET /api/apps HTTP/1.1\r\nHost: ${host}@evil.example\r\n\r\n`),
    'a Host of blanks': refused('GET /api/apps HTTP/1.1\r\nHost:    \t\r\n\r\n'),
    'a length and chunks': refused(
      `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    ),
    'two lengths': refused(`${post}Content-Length: 0\r\nContent-Length: 40\r\n\r\n${second}`),
    'a length with a sign': refused(`${post}Content-Length: +0\r\n\r\n${second}`),
    'a coding of another name': refused(`${post}Transfer-Encoding: xchunked\r\n\r\n${second}`),
    'a chunk without a size': refused(`${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n${second}`),
    'a folded header': refused(`${post}X: a\r\n b\r\nContent-Length : 0\r\n\r\n${second}`),
    'a bare line feed': refused(`GET /api/apps HTTP/1.1\n${hostLine}X: a\n\n`),
    '16 kB of headers': refused(
      `GET /api/apps HTTP/1.1\r\n${hostLine}X: ${'a'.repeat(17_000)}\r\n\r\n`,
    ),
    '5,000 headers': answered(`GET /api/apps HTTP/1.1\r\n${hostLine}${'a:\r\n'.repeat(3000)}\r\n`),
    'a path of 15 kB': answered(get(`/api/${'a/'.repeat(7000)}`)),
    'a path that is not encoded right': answered(get('/api/skills/%zz')),
    'a path with half a character': answered(get('/api/skills/%ff%fe')),
    'a path with NUL': answered(get('/api/skills/%00/files/%00')),
    'a path out of it': answered(get('/../../../../etc/passwd')),
    'a path out of it, encoded': answered(get('/assets/%2e%2e/%2e%2e/%2e%2e/package.json')),
    'two slashes': answered(get('//evil.example/api/apps')),
    'a whole address': answered(get('http://evil.example/api/apps')),
    'a query of 15 kB': answered(get(`/api/conversations?${'limit=1&'.repeat(1900)}`)),
    'a query of arrays': answered(get('/api/conversations?limit[]=1&limit[__proto__]=2&limit=3')),
    'another method': answered(`BREW /api/apps HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`),
    TRACE: answered(`TRACE /api/apps HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`),
    CONNECT: answered(`CONNECT evil.example:443 HTTP/1.1\r\n${hostLine}\r\n`),
    'an upgrade': answered(
      `GET /api/apps HTTP/1.1\r\n${hostLine}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
    ),
    'a continuation': answered(
      `${post}Expect: 200-maybe\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    ),
    'HTTP/2 begun': answered('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    'no HTTP': answered('\u0016\u0003\u0001\u0002\u0000\u0001'),
  };
}
