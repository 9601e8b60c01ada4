import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createLog, type Log } from '../../../platform/lib/log.ts';
import { listenOn } from '../../../testing/listen-on.ts';
import { openTestHost, ownServer, type TestHost } from '../../../testing/mcp-host.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

// A call is cut off quickly; a busy machine needs longer to start a program.
const quick = { connectSeconds: 10, callSeconds: 1, maxCallSeconds: 2 };

/** A host with one server, `odd`, that shows the given behaviour. */
async function open(behaviour: string, more: Record<string, unknown> = {}, log?: Log) {
  const notes = join(await temporaryFolder(), 'notes');
  const server = { ...ownServer('hostile', behaviour, notes), limits: quick, ...more };
  const host = await openTestHost({ mcpServers: { odd: server } }, log ? { log } : {});
  const noted = async () =>
    (await readFile(notes, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  return { host, noted };
}

const state = (host: TestHost) => host.state('odd');
const hasFailed = (host: TestHost) => waitFor(() => state(host).status === 'failed');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['hangs', /has not answered within 1 seconds/],
  ['dies-at-start', /It ended with code 7\. It wrote: The token is missing\./],
  ['garbage', /It writes what is no message of MCP to its standard output/],
])('reports to admins why a server %s', async (behaviour, message) => {
  const more = behaviour === 'hangs' ? { limits: { ...quick, connectSeconds: 1 } } : {};
  const { host } = await open(behaviour, more);
  await hasFailed(host);
  expect(state(host).message).toMatch(message);
  expect(await host.known('odd')).toEqual([]);
});

test('names a missing command', async () => {
  const host = await openTestHost({ mcpServers: { odd: { command: '/no/such-command' } } });
  await hasFailed(host);
  expect(state(host).message).toContain('there is no command "/no/such-command" here');
});

test.each([
  ['nothing listens', 'http://127.0.0.1:49151/mcp', 'Nothing answers at its address.'],
  ['the variable of an address is not set', 'http://127.0.0.1:1/${MCP_KEY}', 'MCP_KEY'],
])('reports to admins that %s', async (_, url, message) => {
  const host = await openTestHost({ mcpServers: { odd: { url } } });
  await hasFailed(host);
  expect(state(host).message).toContain(message);
});

test.each([400, 404, 405])(
  'detects the deprecated HTTP+SSE transport if a POST is answered with %i',
  async (status) => {
    const port = await listenOn(
      createServer((request, response) => {
        if (request.method === 'GET') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write('event: endpoint\ndata: /messages?sessionId=1\n\n');
          return;
        }
        response.writeHead(status).end('Method Not Allowed');
      }),
    );
    const host = await openTestHost({
      mcpServers: { odd: { url: `http://127.0.0.1:${port}/sse` } },
    });
    await hasFailed(host);
    expect(state(host).message).toContain('has been replaced by streamable HTTP');
  },
);

test('does not mistake a server that always answers 405 for the deprecated transport', async () => {
  const port = await listenOn(createServer((_, response) => response.writeHead(405).end()));
  const host = await openTestHost({ mcpServers: { odd: { url: `http://127.0.0.1:${port}/` } } });
  await hasFailed(host);
  expect(state(host).message).toBe('It answered with status 405.');
});

/** An HTTP server that answers `tools/call` with this body. */
async function openHttp(type: string, bodyOf: (id: unknown) => string) {
  const port = await listenOn(
    createServer(async (request, response) => {
      const asked = JSON.parse((await readText(request)) || '{}') as {
        id?: unknown;
        method?: string;
      };
      const results: Record<string, object> = {
        initialize: {
          ...{ protocolVersion: '2025-06-18', capabilities: { tools: {} } },
          serverInfo: { name: 'hostile', version: '1' },
        },
        'tools/list': { tools: [{ name: 'plain', inputSchema: { type: 'object' } }] },
      };
      if (asked.method === 'tools/call') {
        response.writeHead(200, { 'content-type': type }).end(bodyOf(asked.id));
        return;
      }
      const result = results[asked.method ?? ''];
      const error = { code: -32601, message: 'Method not found' };
      response
        .writeHead(asked.id === undefined ? 202 : 200, { 'content-type': 'application/json' })
        .end(
          asked.id === undefined
            ? ''
            : JSON.stringify({
                jsonrpc: '2.0',
                id: asked.id,
                ...(result ? { result } : { error }),
              }),
        );
    }),
  );
  return openTestHost({ mcpServers: { odd: { url: `http://127.0.0.1:${port}/mcp` } } });
}

const answerOf = (id: unknown, content: string) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":${content}}}`;

test.each<[string, string, (id: unknown) => string, string]>([
  [
    'too many values',
    'application/json',
    (id) => answerOf(id, `[${'{},'.repeat(60_000)}{}]`),
    '50000 values',
  ],
  [
    'too many wrong values',
    'application/json',
    (id) => answerOf(id, `[${'{},'.repeat(10_000)}{}]`),
    '100 wrong values',
  ],
  ['too many levels', 'application/json', (id) => answerOf(id, '['.repeat(300)), '200 levels'],
  [
    'too many bytes',
    'application/json',
    (id) => answerOf(id, `["${'a'.repeat(17_000_000)}"]`),
    '16777216 bytes',
  ],
  [
    'too many values in an event',
    'text/event-stream',
    (id) => `data: ${answerOf(id, `[${'1,'.repeat(60_000)}1]`)}\n\n`,
    '50000 values',
  ],
  [
    'values over many lines',
    'text/event-stream',
    (id) => `${answerOf(id, `[${'1,\n'.repeat(60_000)}1]`).replaceAll(/^/gm, 'data: ')}\n\n`,
    '10000 keys',
  ],
  [
    'a quote in the id of an event',
    'text/event-stream',
    (id) => `id: "\ndata: ${answerOf(id, `[${'1,'.repeat(60_000)}1]`)}\n\n`,
    '50000 values',
  ],
  [
    'a line without an end',
    'text/event-stream',
    () => `data: ${'a'.repeat(17_000_000)}`,
    '16777216 bytes',
  ],
  ['empty lines', 'text/event-stream', () => '\n'.repeat(1_000_000), '10000 lines'],
  [
    'a flood of messages',
    'text/event-stream',
    () =>
      'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n'.repeat(
        30_000,
      ),
    '2000 messages in a second',
  ],
])(
  'fails a call over HTTP whose answer has %s, and names the limit',
  async (_, type, body, limit) => {
    const host = await openHttp(type, body);
    const result = await host.call('odd', 'plain');
    expect(result).toMatchObject({ isError: true, content: expect.stringContaining(limit) });
    await waitFor(() => state(host).message?.includes(limit));
  },
);

test('restarts a legacy server that exits on an unknown request, and skips the probe afterwards', async () => {
  const { host, noted } = await open('dies-at-question', { limits: {} });
  expect(await host.call('odd', 'plain')).toMatchObject({ content: 'Done.' });
  const starts = async () => (await noted()).filter((line) => line.startsWith('start')).length;
  expect(await starts()).toBe(2);
  await host.source('odd').reconnect?.();
  expect(await starts()).toBe(3);
});

test('backs off after a failure and fails calls immediately', async () => {
  const { host, noted } = await open('dies-in-call');
  await host.tools('odd');
  const died = await host.call('odd', 'plain');
  expect(died).toMatchObject({ isError: true });
  await hasFailed(host);
  expect(state(host).message).toContain('code 3');
  const before = (await noted()).length;
  const again = await host.call('odd', 'plain');
  expect(again).toMatchObject({ isError: true, content: expect.stringContaining('code 3') });
  expect(await noted()).toHaveLength(before);
});

test.each([
  ['hangs-in-call', 'took too long'],
  ['progress-forever', 'took too long'],
])('ends a call that %s', async (behaviour, summary) => {
  const { host } = await open(behaviour);
  await host.tools('odd');
  expect(await host.call('odd', 'plain')).toMatchObject({ isError: true, summary });
});

test('stops a server that floods us with messages', async () => {
  const { host } = await open('floods-in-call', { limits: {} });
  await host.tools('odd');
  expect(await host.call('odd', 'plain')).toMatchObject({ isError: true, summary: 'failed' });
  await waitFor(() => state(host).message?.includes('messages in a second'));
});

test('tells the server that a call was cancelled', async () => {
  const { host, noted } = await open('hangs-in-call', { limits: {} });
  await host.tools('odd');
  const controller = new AbortController();
  const result = host.call('odd', 'plain', {}, { signal: controller.signal });
  await waitFor(async () => (await noted()).includes('tools/call'));
  controller.abort();
  await expect(result).rejects.toThrow('abort');
  await waitFor(async () =>
    (await noted()).some((line) => line.startsWith('notifications/cancelled')),
  );
});

test('truncates a 10 MB result in the middle and attaches the full text as a file', async () => {
  const { host } = await open('answers-much', { limits: {} });
  const result = await host.call('odd', 'plain');
  expect(result.content.length).toBeLessThan(65_000);
  expect(result.content).toContain('result.txt');
  expect(result.files).toMatchObject([{ name: 'result.txt', type: 'text/plain' }]);
  expect(result.files?.[0]?.bytes.length).toBe(10 * 1024 * 1024);
});

test('stops a server that sends an oversized message', async () => {
  const { host } = await open('too-much', { limits: {} });
  const result = await host.call('odd', 'plain');
  expect(result).toMatchObject({ isError: true });
  await waitFor(() => state(host).message?.includes('16777216 bytes'));
});

test.each([
  ['nulls', 'It sent a message of more than 50000 values of JSON.'],
  ['objects', 'It sent a message of more than 50000 values of JSON.'],
  ['many-keys', 'It sent a message of more than 10000 keys in one object of JSON.'],
  ['many-meta', 'It sent a message of more than 10000 keys in one object of JSON.'],
  ['deep-answer', 'It sent a message of more than 200 levels of JSON.'],
])('ends a server whose answer has %s, and names the limit', async (behaviour, message) => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const { host } = await open(behaviour, { limits: {} }, log);
  const result = await host.call('odd', 'plain');
  expect(result).toMatchObject({ isError: true, content: expect.stringContaining(message) });
  await waitFor(() => state(host).message?.includes(message));
  expect(lines.join('')).toMatch(/"server":"odd".*more than/);
});

test.each([
  ['wrong-entries', 'with more than 100 wrong values in content.'],
  ['wrong-in-one-entry', 'with more than 5000 values in content[0].'],
])('fails a call whose answer has %s, but keeps the server running', async (behaviour, message) => {
  const { host } = await open(behaviour, { limits: {} });
  const result = await host.call('odd', 'plain');
  expect(result).toMatchObject({ isError: true, content: expect.stringContaining(message) });
  expect(state(host)).toMatchObject({ status: 'ready', message: expect.stringContaining(message) });
});

test('accepts 500 tools with 30 described parameters each', async () => {
  const { host } = await open('large', { limits: {} });
  expect(await host.tools('odd')).toHaveLength(500);
});

test('accepts 5 MB of text in one string', async () => {
  const { host } = await open('much-text', { limits: {} });
  expect(await host.call('odd', 'plain')).toMatchObject({ isError: false });
});

test('keeps the texts of 10,000 parts, but only the first images', async () => {
  const texts = await open('many-parts', { limits: {} });
  const result = await texts.host.call('odd', 'plain');
  expect(result.content.startsWith('0\n1\n2\n')).toBe(true);
  expect(result.content.endsWith('\n9999')).toBe(true);
  const pictures = await open('many-images', { limits: {} });
  const many = await pictures.host.call('odd', 'plain');
  expect(many.images).toHaveLength(8);
  expect(many.files).toHaveLength(32);
  expect(many.content).toContain('9968 more parts of the result left out');
});

test('treats an invalid image as a file and never sends it to a model', async () => {
  const { host } = await open('no-image', { limits: {} });
  const result = await host.call('odd', 'plain');
  expect(result.images).toMatchObject([{ mediaType: 'image/gif' }]);
  expect(result.files).toMatchObject([
    { name: 'image-1', type: 'application/octet-stream' },
    { name: 'image-2.gif', type: 'image/gif' },
  ]);
});

test('reports a malformed result as a failure', async () => {
  const { host } = await open('wrong-shape');
  await host.tools('odd');
  expect(await host.call('odd', 'plain')).toMatchObject({ isError: true, summary: 'failed' });
});

test('lists the usable tools and names the others with the reason', async () => {
  const { host } = await open('odd', { consent: 'never' });
  const tools = await host.tools('odd');
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(['good', 'loop', 'regex', '😀 party', 'n'.repeat(300), 'liar', 'output']);
  const { message = '' } = state(host);
  for (const wrong of [
    '5 tools are left out.',
    '"good": The server has another tool of this name.',
    '"huge": The schema of its arguments is longer than 65536 characters.',
    '"deep": The schema of its arguments is more than 24 levels deep.',
    'Its name has more than 300 characters.',
    '"number 10": It has no name.',
  ]) {
    expect(message).toContain(wrong);
  }
  expect(tools.find(({ name }) => name === 'liar')?.description).toHaveLength(8000);
  // A server's schema is never evaluated against its output: this pattern would backtrack forever
  // (ReDoS).
  expect(await host.call('odd', 'output')).toMatchObject({ isError: false });
});

test('believes tool annotations only from trusted servers', async () => {
  const untrusted = await open('odd');
  const liar = (await untrusted.host.tools('odd')).find(({ name }) => name === 'liar');
  expect(liar).toMatchObject({
    consent: 'ask',
    hints: { readOnly: false, destructive: true, openWorld: true, isAssumed: true },
  });
  const trusted = await open('odd', { trusted: true });
  const honest = await trusted.host.tools('odd');
  expect(honest.find(({ name }) => name === 'liar')).toMatchObject({
    consent: 'never',
    hints: { readOnly: true, destructive: false, openWorld: false, isAssumed: false },
  });
  expect(honest.find(({ name }) => name === 'good')?.consent).toBe('ask');
});

test('uses at most a thousand tools of a server', async () => {
  const { host } = await open('many', { limits: {} });
  expect(await host.tools('odd')).toHaveLength(1000);
});

test('rejects sampling requests with an error', async () => {
  const { host } = await open('samples', { limits: {} });
  const result = await host.call('odd', 'plain');
  expect(result.content).toContain('-32601');
});

test('cancels an elicitation if two calls are running, since it could reach the wrong user', async () => {
  const { host } = await open('asks', { limits: {} });
  await host.tools('odd');
  const asked: string[] = [];
  const call = (name: string) =>
    host.call(
      'odd',
      'plain',
      {},
      {
        ask: async () => {
          asked.push(name);
          return { action: 'accept', values: { name } };
        },
      },
    );
  const both = await Promise.all([call('Ada'), call('Grace')]);
  expect(both.map(({ content }) => content)).toEqual([
    '{"action":"cancel"}',
    '{"action":"cancel"}',
  ]);
  expect(asked).toEqual([]);
  const later = await Promise.all([call('Ada'), call('Grace')]);
  expect(later.map(({ content }) => content)).toEqual([
    '{"action":"accept","content":{"name":"Ada"}}',
    '{"action":"accept","content":{"name":"Grace"}}',
  ]);
});

test('starts a server with a clean environment and its own home directory', async () => {
  const notes = await temporaryFolder();
  const env = { GIVEN: 'by the file' };
  const odd = { ...ownServer('hostile', 'environment'), env };
  const variables = { PATH: '/usr/bin', OPENAI_API_KEY: 'sk-secret', HOME: '/root', LANG: 'C' };
  const host = await openTestHost({ mcpServers: { odd } }, { variables, folder: notes });
  const { content } = await host.call('odd', 'plain');
  const home = join(notes, 'mcp/odd');
  expect(JSON.parse(content)).toEqual({
    ...{ PATH: '/usr/bin', LANG: 'C', GIVEN: 'by the file' },
    ...{ HOME: home, TMPDIR: home, cwd: home },
  });
});

test('stops all servers with the host, even those that ignore SIGTERM', async () => {
  const { host, noted } = await open('stubborn');
  await host.tools('odd');
  const pid = Number((await noted())[0]?.split(' ')[1]);
  expect(isAlive(pid)).toBe(true);
  await host.close();
  expect(isAlive(pid)).toBe(false);
  expect(await noted()).toContain('SIGTERM');
});

test('throttles the log for servers that keep crashing at startup', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const odd = ownServer('hostile', 'dies-at-start');
  const servers = Array.from({ length: 10 }, (_, index) => [`odd-${index}`, odd]);
  const host = await openTestHost({ mcpServers: Object.fromEntries(servers) }, { log });
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(host.sources.map((source) => source.reconnect?.()));
  }
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(10);
  expect(lines[0]).toContain('The token is missing.');
});
