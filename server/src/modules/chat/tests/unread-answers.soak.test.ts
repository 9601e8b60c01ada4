import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readerTimeout } from '../../../platform/http/disconnect-slow-readers.ts';
import { rawRequest, requestText } from '../../../testing/raw-request.ts';
import { says, scriptedModel } from '../../../testing/scripted-model.ts';
import { adminCookie } from '../../../testing/sign-in-admin.ts';
import {
  createVisitor,
  startTestServer,
  type TestServer,
} from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

/** More than the system buffers on an unread connection. */
const long = 'Know. '.repeat(3_000_000);

let server: TestServer;
let cookie: string;
let path: string;

beforeEach(async () => {
  server = await startTestServer({ model: scriptedModel(says(long)).ask });
  cookie = await adminCookie(server);
  const { conversationId } = await takeTurn(createVisitor(server.url, cookie), { message: 'Go.' });
  path = `/api/conversations/${conversationId}`;
});
afterEach(() => server.close());

/** Requests a long conversation and reads only its beginning. */
async function askSilently(): Promise<Socket> {
  const request = requestText(`GET ${path}`, [`Cookie: ${cookie}`]);
  const { socket } = rawRequest(server.url, request);
  await once(socket, 'data');
  return socket.pause();
}

test('a client with a dozen unread long responses gets no more, until they are read or closed', async () => {
  const unread = await Promise.all(Array.from({ length: 12 }, askSilently));
  const status = async () => {
    const answer = await fetch(server.url + path, { headers: { cookie } });
    await answer.body?.cancel();
    return answer.status;
  };
  expect(await status()).toBe(429);
  expect((await server.visitor()('/api/apps')).status).toBe(200);
  for (const socket of unread) {
    socket.destroy();
  }
  await waitFor(async () => (await status()) === 200);
});

test('a reader who stops reading a response is disconnected', async () => {
  server.app.http.set(readerTimeout, 300);
  const connection = once(server.server, 'connection');
  await askSilently();
  const [socket] = (await connection) as [Socket];
  await waitFor(() => socket.destroyed);
});
