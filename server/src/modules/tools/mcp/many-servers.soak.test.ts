import { createServer, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { readThreadTime } from '../../../testing/cpu-time.ts';
import { listenOn } from '../../../testing/listen-on.ts';
import { openTestHost, ownServer } from '../../../testing/mcp-host.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import type { ListedTool } from './read-tools.ts';
import { compareTools, createPinStore } from './tool-pins.ts';

const half = 100;

async function listening(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listenOn(server)}/mcp`;
}

/** A legacy HTTP server with one tool and no sessions. */
function quickServer(): Server {
  return createServer(async (request, response) => {
    const chunks = await request.toArray();
    const message = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'quick', version: '1' },
      },
      'tools/list': { tools: [{ name: 'plain', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'Done.' }] },
    };
    const result = results[message.method];
    if (request.method !== 'POST' || message.id === undefined) {
      response.writeHead(request.method === 'POST' ? 202 : 405).end();
      return;
    }
    const error = { code: -32601, message: 'Method not found' };
    response.setHeader('content-type', 'application/json');
    const body = { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) };
    response.end(JSON.stringify(body));
  });
}

/** Every second server is dead, each in a different way. */
async function manyServers() {
  const url = await listening(quickServer());
  const silent = await listening(createServer(() => undefined));
  const limits = { connectSeconds: 2 };
  const dead = [
    { url: silent, limits },
    { url: 'http://127.0.0.1:49151/mcp', limits },
    { command: '/no/such-command', limits },
    { url: 'http://127.0.0.1:49151/${MCP_KEY}', limits },
  ];
  const servers = Array.from({ length: half }, (_, index) => [
    [`good-${index}`, { url }],
    [`dead-${index}`, dead[index % dead.length]],
  ]).flat();
  return { mcpServers: Object.fromEntries(servers) };
}

/** The access a turn passes. */
const access = { caller: { groups: [] } } as never;

test('lists tools without delay with two hundred servers, half of them dead', async () => {
  const host = await openTestHost(await manyServers());
  const waits: number[] = [];
  const list = async () => {
    // Only CPU time may elapse here; a shared machine may pause the process.
    let hasWaited = false;
    const immediate = setImmediate(() => {
      hasWaited = true;
    });
    const before = readThreadTime();
    const found = await Promise.all(host.sources.map((source) => source.list(access)));
    clearImmediate(immediate);
    waits.push(hasWaited ? Number.POSITIVE_INFINITY : readThreadTime() - before);
    return found.flat().length;
  };
  await waitFor(async () => (await list()) === half);
  expect(waits.length).toBeGreaterThan(5);
  expect(Math.max(...waits)).toBeLessThan(50);
  expect(await host.call('good-7', 'plain')).toMatchObject({ content: 'Done.' });
});

test('does not start servers whose tools are already known', async () => {
  const folder = await temporaryFolder();
  const database = await openTestDatabase(folder);
  const tool: ListedTool = {
    ...{ name: 'plain', description: '' },
    ...{ parameters: { type: 'object' }, annotations: {} },
  };
  const ids = Array.from({ length: 2 * half }, (_, index) => `known-${index}`);
  const pins = createPinStore(database);
  for (const id of ids) {
    await pins.save(id, new Map(), compareTools(new Map(), [tool]));
  }
  await database.destroy();
  const known = ownServer('hostile', 'hangs');
  const config = { mcpServers: Object.fromEntries(ids.map((id) => [id, known])) };
  const host = await openTestHost(config, { folder });
  await waitFor(async () => (await host.known('known-199')).length === 1);
  await Promise.all(ids.map((id) => host.known(id)));
  expect(new Set(ids.map((id) => host.state(id).status))).toEqual(new Set(['idle']));
});

test('logs at most ten lines a minute for a server that keeps crashing at startup', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const config = { mcpServers: { odd: ownServer('hostile', 'dies-at-start') } };
  const host = await openTestHost(config, { log });
  const startedAt = performance.now();
  for (let death = 0; death < 100; death += 1) {
    await host.source('odd').reconnect?.();
  }
  const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(10 * minutes);
});
