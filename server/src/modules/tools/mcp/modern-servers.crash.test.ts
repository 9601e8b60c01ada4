import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openTestHost, ownServer } from '../../../testing/mcp-host.ts';

const stdio = async () => ownServer('modern', 'stdio');
const http = async () => {
  const { command, args } = ownServer('modern', 'http');
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}/mcp` };
};

test.each([
  ['started over stdio', stdio],
  ['reached over HTTP', http],
])('calls a server of the newest era %s and answers its elicitations', async (_, server) => {
  const host = await openTestHost({ mcpServers: { modern: await server() } });
  const tools = await host.tools('modern');
  expect(tools.map(({ title }) => title)).toEqual(['Add two numbers', undefined]);
  expect(await host.call('modern', 'add', { a: 2, b: 3 })).toMatchObject({
    content: '5',
    structured: { sum: 5 },
  });
  const greet = (name: string) =>
    host.call(
      'modern',
      'greet',
      {},
      {
        ask: async ({ message }) => {
          expect(message).toBe('What are you called?');
          return { action: 'accept', values: { name } };
        },
      },
    );
  // Each caller is asked for their own call, even with concurrent calls.
  const both = await Promise.all([greet('Ada'), greet('Grace')]);
  expect(both.map(({ content }) => content)).toEqual(['Hello Ada.', 'Hello Grace.']);
});

test('remembers the protocol era of a server', async () => {
  const host = await openTestHost({ mcpServers: { modern: await stdio() } });
  await host.tools('modern');
  await host.source('modern').reconnect?.();
  expect(await host.call('modern', 'add', { a: 1, b: 1 })).toMatchObject({ content: '2' });
});
