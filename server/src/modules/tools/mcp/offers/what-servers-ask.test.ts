import type { Question } from '@knowhow/shared/config/tools';
import {
  inputRequired,
  type McpServer,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openTestHost } from '../../../../testing/mcp-host.ts';
import { startSdkServer } from '../../../../testing/sdk-server.ts';

const page = 'https://pay.example/confirm?order=1';
const described = { description: 'A tool.', inputSchema: z.object({}) };
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

/** Both servers make the user confirm on a web page, in the way of their era. */
function modern(server: McpServer): void {
  server.registerTool('pay', described, (_input, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.confirm as { action?: string } | undefined;
    const params = { message: 'Confirm the payment.', url: page };
    return answer
      ? text(`page: ${answer.action}`)
      : inputRequired({ inputRequests: { confirm: inputRequired.elicitUrl(params) } });
  });
}

function legacy(server: McpServer): void {
  let isAsked = false;
  server.registerTool('pay', described, () => {
    if (!isAsked) {
      isAsked = true;
      const params = { mode: 'url' as const, message: 'Confirm the payment.', url: page };
      throw new UrlElicitationRequiredError([{ ...params, elicitationId: 'one' }]);
    }
    return text('page: accept');
  });
}

test.each([
  ['modern', modern],
  ['legacy', legacy],
] as const)('shows the user the URL of a page to open (%s)', async (era, register) => {
  const { url } = await startSdkServer(era, register);
  const host = await openTestHost({ mcpServers: { own: { url } } });
  const asked: Question[] = [];
  const ask = async (question: Question) => {
    asked.push(question);
    return { action: 'accept' as const };
  };
  expect(await host.call('own', 'pay', {}, { ask })).toMatchObject({ content: 'page: accept' });
  expect(asked).toEqual([
    expect.objectContaining({ message: 'Confirm the payment.', fields: [], url: page }),
  ]);
});

test('fails the call if the user does not open the required page', async () => {
  const { url } = await startSdkServer('legacy', legacy);
  const host = await openTestHost({ mcpServers: { own: { url } } });
  const ask = async () => ({ action: 'decline' as const });
  expect(await host.call('own', 'pay', {}, { ask })).toMatchObject({
    isError: true,
    content: expect.stringContaining('the user has not opened it'),
  });
});

test('rejects sampling requests of a server', async () => {
  const { url } = await startSdkServer('modern', (server) => {
    server.registerTool('think', described, () =>
      inputRequired({
        inputRequests: {
          thought: inputRequired.createMessage({ messages: [], maxTokens: 100 }),
        },
      }),
    );
  });
  const host = await openTestHost({ mcpServers: { own: { url } } });
  expect(await host.call('own', 'think')).toMatchObject({ isError: true });
});

test.each(['modern', 'legacy'] as const)(
  'lists and reads resources with a tool of the server (%s)',
  async (era) => {
    const { url } = await startSdkServer(era, (server) => {
      const about = { title: 'The rules', mimeType: 'text/plain' };
      server.registerResource('rules', 'docs://rules', about, ({ href }) => ({
        contents: [{ uri: href, text: 'Be kind. '.repeat(20_000) }],
      }));
    });
    const host = await openTestHost({ mcpServers: { own: { url } } });
    expect((await host.tools('own')).map(({ name }) => name)).toEqual(['read_resource']);
    const listed = await host.call('own', 'read_resource');
    expect(listed.content).toBe('docs://rules: The rules; text/plain');
    const read = await host.call('own', 'read_resource', { uri: 'docs://rules' });
    expect(read.content).toContain('docs://rules:\nBe kind.');
    expect(read.content.length).toBeLessThan(70_000);
    const unknown = await host.call('own', 'read_resource', { uri: 'docs://other' });
    expect(unknown).toMatchObject({
      isError: true,
      content: expect.stringContaining('docs://other'),
    });
  },
);

test('adds no resource tool without resources, and keeps a server’s own tool of that name', async () => {
  const { url } = await startSdkServer('modern', (server) => {
    server.registerTool('read_resource', described, () => text('own'));
    server.registerResource('rules', 'docs://rules', {}, () => ({ contents: [] }));
  });
  const plain = await startSdkServer('modern', modern);
  const host = await openTestHost({ mcpServers: { own: { url }, plain: { url: plain.url } } });
  expect(await host.call('own', 'read_resource')).toMatchObject({ content: 'own' });
  expect((await host.tools('plain')).map(({ name }) => name)).toEqual(['pay']);
});
