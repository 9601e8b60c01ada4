import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { rawRequest } from '../../testing/raw-request.ts';
import { scriptedModel, untilAborted } from '../../testing/scripted-model.ts';
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts';
import { waitFor } from '../../testing/wait-for.ts';

let server: TestServer;
afterEach(() => server.close());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

function turnRequest(): string {
  const body = JSON.stringify({ message: 'Go on for ever.' });
  return [
    `POST /api/apps/chat/chat/${randomUUID()} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `\r\n${body}`,
  ].join('\r\n');
}

test('pipelined requests of a connection are answered in order', async () => {
  server = await startTestServer();
  const paths = ['/api/apps', '/api/health', '/api/no-such', '/api/prompts'];
  const last = 'GET /api/models HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
  const { ended } = rawRequest(server.url, paths.map(get).join('') + last);
  const answers = (await ended).split(/(?=HTTP\/1\.1 )/);
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '200', '404', '200', '200']);
  expect(answers[0]).toContain('"chat"');
  expect(answers[1]).toContain('"ok"');
  expect(answers[4]).toContain('"scripted"');
});

test('a connection with thousands of pipelined requests is cut off', async () => {
  server = await startTestServer();
  const { ended } = rawRequest(server.url, get('/api/apps').repeat(5000));
  expect((await ended).split('HTTP/1.1 200').length).toBeLessThan(20);
});

test('requests of a disconnected client start no answer', async () => {
  const files = { 'config/platform.json': { rateLimit: { requests: 0, turns: 0, streams: 2 } } };
  const model = scriptedModel([{ type: 'text', text: 'Well' }, untilAborted]);
  server = await startTestServer({ model: model.ask, files });
  const several = Array.from({ length: 5 }, turnRequest).join('');
  const first = rawRequest(server.url, several);
  await waitFor(() => first.heard.includes('Well'));
  first.socket.destroy();
  await first.ended;
  const next = rawRequest(server.url, turnRequest());
  await waitFor(() => next.heard.includes('Well'));
  expect(model.requests).toHaveLength(2);
});
