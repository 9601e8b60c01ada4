import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpath, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Question } from '@knowhow/shared/config/tools';
import { expect, onTestFinished, test } from 'vitest';
import { openTestHost, realServer, type TestHost } from '../../../testing/mcp-host.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts `everything` over HTTP; stopped after the test or by the returned function. */
async function everythingOverHttp(port?: number) {
  const chosen = port ?? (await freePort());
  const { command, args } = realServer('everything', 'streamableHttp');
  const child = spawn(command, args, { env: { PORT: String(chosen) }, stdio: 'pipe' });
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const end = async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
  };
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdout.resume();
  await waitFor(() => said.includes('listening'));
  return { port: chosen, url: `http://127.0.0.1:${chosen}/mcp`, end };
}

const stdio = realServer('everything', 'stdio');
const openStdio = () => openTestHost({ mcpServers: { everything: stdio } });
const openHttp = async () =>
  openTestHost({ mcpServers: { everything: { url: (await everythingOverHttp()).url } } });

test.each([
  ['started over stdio', openStdio],
  ['reached over HTTP', openHttp],
])('lists and calls the tools of a server %s', async (_, open) => {
  const host = await open();
  const names = (await host.tools('everything')).map(({ name }) => name);
  expect(names).toContain('get-structured-content');
  expect(names).toContain('trigger-elicitation-request');
  // We do not offer sampling, so the server hides tools that need it.
  expect(names).not.toContain('trigger-sampling-request');
  const echo = await host.call('everything', 'echo', { message: 'Good morning' });
  expect(echo).toMatchObject({ content: 'Echo: Good morning', isError: false });
  expect(host.state('everything').status).toBe('ready');
});

test('converts text, structured content, images, links and resources', async () => {
  const host = await openStdio();
  const structured = await host.call('everything', 'get-structured-content', {
    location: 'New York',
  });
  expect(structured.structured).toMatchObject({ temperature: expect.any(Number) });
  const image = await host.call('everything', 'get-tiny-image');
  expect(image.images).toMatchObject([{ mediaType: 'image/png' }]);
  expect(image.files).toMatchObject([{ name: 'image-1.png', type: 'image/png' }]);
  expect(image.content).toContain('image-1.png');
  const links = await host.call('everything', 'get-resource-links', { count: 2 });
  expect(links.content.match(/\]\(demo:\/\//g)).toHaveLength(2);
  const resource = await host.call('everything', 'get-resource-reference', {
    resourceType: 'Text',
    resourceId: 1,
  });
  expect(resource.content).toContain('demo://resource/dynamic/text/1:');
  const blob = await host.call('everything', 'get-resource-reference', {
    resourceType: 'Blob',
    resourceId: 1,
  });
  expect(blob.files).toHaveLength(1);
});

test('returns the server’s message for invalid arguments', async () => {
  const host = await openStdio();
  const result = await host.call('everything', 'get-sum', { a: 'one' });
  expect(result.isError).toBe(true);
  expect(result.content).toContain('number');
});

test.each([
  ['started over stdio', openStdio],
  ['reached over HTTP', openHttp],
])('shows an elicitation of a server %s as a form and returns the answer', async (_, open) => {
  const host = await open();
  const asked: Question[] = [];
  const result = await host.call(
    'everything',
    'trigger-elicitation-request',
    {},
    {
      ask: async (question) => {
        asked.push(question);
        return {
          action: 'accept',
          values: {
            name: 'Ada',
            check: true,
            integer: '7',
            notAsked: 'x',
            untitledSingleSelectEnum: 'Joey',
          },
        };
      },
    },
  );
  expect(asked).toHaveLength(1);
  expect(asked[0]?.message).toContain('Please provide inputs');
  const fields = new Map(asked[0]?.fields.map((field) => [field.name, field]));
  expect(fields.get('name')).toMatchObject({ type: 'text', label: 'String' });
  expect(fields.get('check')?.type).toBe('boolean');
  expect(fields.get('titledSingleSelectEnum')).toMatchObject({
    type: 'choice',
    options: [{ value: 'hero-1', label: 'Superman' }, {}, {}],
  });
  expect(fields.get('untitledMultipleSelectEnum')?.type).toBe('choices');
  expect(fields.get('legacyTitledEnum')?.options?.[0]).toEqual({ value: 'pet-1', label: 'Cats' });
  expect(result.content).toContain('Ada');
  expect(result.content).not.toContain('notAsked');
});

test('tells the server that a form was declined', async () => {
  const host = await openStdio();
  const result = await host.call(
    'everything',
    'trigger-elicitation-request',
    {},
    {
      ask: async () => ({ action: 'decline' }),
    },
  );
  expect(result.content).toContain('declined');
});

test('forwards progress and extends the timeout of a call', async () => {
  const slow = { ...stdio, limits: { callSeconds: 1 } };
  const host = await openTestHost({ mcpServers: { everything: slow } });
  const seen: string[] = [];
  const result = await host.call(
    'everything',
    'trigger-long-running-operation',
    { duration: 2, steps: 5 },
    { progress: (text) => seen.push(text) },
  );
  expect(result.content).toContain('completed');
  expect(seen[0]).toBe('1/5');
  expect(seen.length).toBeGreaterThan(3);
});

test('times out a call without progress and cancels a stopped one immediately', async () => {
  const slow = { ...stdio, limits: { callSeconds: 1 } };
  const host = await openTestHost({ mcpServers: { everything: slow } });
  await host.tools('everything');
  const late = await host.call('everything', 'trigger-long-running-operation', {
    duration: 30,
    steps: 1,
  });
  expect(late).toMatchObject({ isError: true, summary: 'took too long' });
  const controller = new AbortController();
  const stopped = host.call(
    'everything',
    'trigger-long-running-operation',
    { duration: 30, steps: 300 },
    { signal: controller.signal, progress: () => controller.abort() },
  );
  await expect(stopped).rejects.toThrow('abort');
  // The connection is still usable.
  expect(await host.call('everything', 'echo', { message: 'a' })).toMatchObject({ isError: false });
});

test('reconnects after a server restart, even in the middle of a session', async () => {
  const first = await everythingOverHttp();
  const host = await openTestHost({ mcpServers: { everything: { url: first.url } } });
  await host.call('everything', 'echo', { message: 'a' });
  await first.end();
  await everythingOverHttp(first.port);
  expect(await host.call('everything', 'echo', { message: 'b' })).toMatchObject({
    content: 'Echo: b',
  });
});

test('reads files only in the allowed folder', async () => {
  const folder = await realpath(await temporaryFolder());
  await writeFile(join(folder, 'note.txt'), 'A note.');
  const host = await openTestHost({ mcpServers: { files: realServer('filesystem', folder) } });
  const read = (path: string) => host.call('files', 'read_text_file', { path });
  expect((await read(join(folder, 'note.txt'))).content).toContain('A note.');
  expect(await read('/etc/passwd')).toMatchObject({ isError: true, summary: 'failed' });
});

test('passes the configured environment to a server', async () => {
  const folder = await temporaryFolder();
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
  const host = await openTestHost({ mcpServers: { memory: { ...realServer('memory'), env } } });
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['wrote programs'] }];
  await host.call('memory', 'create_entities', { entities });
  expect((await host.call('memory', 'search_nodes', { query: 'Ada' })).content).toContain(
    'programs',
  );
});

test('keeps the state of a server between calls', async () => {
  const host = await openTestHost({ mcpServers: { thinking: realServer('sequential-thinking') } });
  const thought = { thought: 'One.', thoughtNumber: 1, totalThoughts: 2, nextThoughtNeeded: true };
  const result = await host.call('thinking', 'sequentialthinking', thought);
  expect(result.content).toContain('"thoughtNumber": 1');
});

test('reads the configuration formats of other products', async () => {
  const listed = { id: 'ihub', name: { en: 'From iHub' }, transport: { type: 'stdio', ...stdio } };
  const host: TestHost = await openTestHost({
    servers: [{ ...listed, allowedTools: ['echo'], timeoutMs: 5000 }],
    mcpServers: { common: { ...stdio, type: 'stdio', disabled: true } },
  });
  expect((await host.tools('ihub')).map(({ name }) => name)).toEqual(['echo']);
  expect(host.sources.map(({ id, title }) => [id, title])).toEqual([['ihub', 'From iHub']]);
});
