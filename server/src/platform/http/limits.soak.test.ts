import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { openGate } from '../../testing/open-gate.ts';
import { says, scriptedModel, untilAborted } from '../../testing/scripted-model.ts';
import { adminCookie, signInAdmin } from '../../testing/sign-in-admin.ts';
import {
  createVisitor,
  startTestServer,
  type TestServer,
} from '../../testing/start-test-server.ts';
import { takeTurn } from '../../testing/take-turn.ts';
import { readTurn } from '../../testing/turn-stream.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { readerTimeout } from './disconnect-slow-readers.ts';

/** Timeout for a busy machine. */
const busyTimeout = { timeout: 60_000 };

let server: TestServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) {
    socket.destroy();
  }
  await server.close();
});

/** Connects and sends a text, then nothing more; reads only on request. */
function say(text: string): Socket {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(text);
  sockets.push(socket);
  return socket;
}

function turnRequest(message = 'Go on for ever.'): string {
  const body = JSON.stringify({ message });
  return [
    `POST /api/apps/chat/chat/${randomUUID()} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `\r\n${body}`,
  ].join('\r\n');
}

describe('streams', () => {
  const limited = (streams: number) => ({
    'config/platform.json': { rateLimit: { requests: 0, turns: 0, streams } },
  });

  test('are limited concurrently, per user or address; excess ones are rejected with the time to retry', async () => {
    const gate = openGate();
    const well = { type: 'text', text: 'Well' } as const;
    const over = { type: 'stop', reason: 'stop' } as const;
    const model = scriptedModel([well, () => gate.passed, over], [well, untilAborted]).ask;
    server = await startTestServer({ model, files: limited(2) });
    const first = say(turnRequest());
    await waitFor(() => first.bytesRead > 0);
    const second = say(turnRequest());
    await waitFor(() => second.bytesRead > 0);
    const third = await server.visitor()(`/api/apps/chat/chat/${randomUUID()}`, {
      json: { message: 'One more' },
    });
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await third.json()).toMatchObject({ code: 'too-many-requests' });

    const admin = await signInAdmin(server);
    const conversation = randomUUID();
    const own = await admin(`/api/apps/chat/chat/${conversation}`, { json: { message: 'Mine' } });
    expect(own.status).toBe(200);
    await admin(`/api/apps/chat/chat/${conversation}/stop`, { method: 'POST' });
    await own.text();

    // A stream whose client disconnects still counts; an ended one does not.
    second.destroy();
    gate.open();
    await waitFor(async () => {
      const next = say(turnRequest());
      await waitFor(() => next.bytesRead > 0);
      return String(next.read()).startsWith('HTTP/1.1 200');
    });
  });

  test('500 idle ones do not block 200 active ones, and cause no listener warnings', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    server = await startTestServer({
      files: limited(0),
      model: async function* ({ messages }, signal) {
        const isIdle = JSON.stringify(messages).includes('idle');
        for (let said = 0; said < 10; said += 1) {
          yield { type: 'text', text: `${said} ` };
          await (isIdle ? untilAborted(signal) : wait(100));
        }
      },
    });
    const idle = Array.from({ length: 500 }, () => say(turnRequest('Be idle.')));
    await expect.poll(() => idle.every(({ bytesRead }) => bytesRead > 0), busyTimeout).toBe(true);
    const active = Array.from({ length: 200 }, () =>
      takeTurn(server.visitor(), { message: 'Speak.' }),
    );
    for (const { text } of await Promise.all(active)) {
      expect(text).toBe('0 1 2 3 4 5 6 7 8 9 ');
    }
    expect(idle.every((socket) => !socket.destroyed)).toBe(true);
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  }, 90_000);

  test('a stalled reader neither blocks the model nor fills memory (backpressure)', async () => {
    const piece = 'x'.repeat(10_000);
    const pieces = 1500;
    let said = 0;
    server = await startTestServer({
      model: async function* () {
        for (; said < pieces; said += 1) {
          yield { type: 'text', text: piece };
        }
        yield { type: 'stop', reason: 'stop' };
      },
    });
    const asked = once(server.server, 'request');
    const reader = say(turnRequest()).pause();
    const [, response]: [IncomingMessage, ServerResponse] = (await asked) as never;
    let most = 0;
    await waitFor(() => {
      most = Math.max(most, response.writableLength);
      return said === pieces;
    });
    expect(most).toBeLessThan(500_000);
    expect(response.writableEnded).toBe(false);
    let heard = 0;
    reader.on('data', (bytes: Buffer) => {
      heard += bytes.length;
      most = Math.max(most, response.writableLength);
    });
    reader.resume();
    await waitFor(() => response.writableFinished);
    expect(most).toBeLessThan(500_000);
    await waitFor(() => heard > pieces * piece.length);
  });

  test('a slow reader does not slow down a fast one, and misses nothing', async () => {
    const gate = openGate();
    const pieces = Array.from({ length: 1500 }, (_, index) => `${index} ${'x'.repeat(10_000)} `);
    server = await startTestServer({
      model: scriptedModel([
        { type: 'text', text: 'Well ' },
        () => gate.passed,
        ...pieces.map((text) => ({ type: 'text', text }) as const),
        { type: 'stop', reason: 'stop' },
      ]).ask,
    });
    const cookie = await adminCookie(server);
    const visitor = createVisitor(server.url, cookie);
    const id = randomUUID();
    const json = { message: 'Go.' };
    const fast = await readTurn(visitor, `/api/apps/chat/chat/${id}`, { json });
    await fast.says('Well');
    const asked = once(server.server, 'request');
    const headers = [`GET /api/conversations/${id}/turn HTTP/1.1`, 'Host: 127.0.0.1'];
    const slow = say([...headers, `Cookie: ${cookie}`, '\r\n'].join('\r\n')).pause();
    const [, response]: [IncomingMessage, ServerResponse] = (await asked) as never;
    await waitFor(() => response.headersSent);
    gate.open();
    expect(await fast.ended).toBe('whole');
    expect(fast.text()).toBe(`Well ${pieces.join('')}`);
    expect(response.writableLength).toBeLessThan(500_000);
    let heard = '';
    slow.setEncoding('utf8').on('data', (piece: string) => {
      heard += piece;
    });
    slow.resume();
    await waitFor(() => heard.includes('event: done'));
    const told = heard.matchAll(/^data: (\{"content":.+)$/gm);
    const text = Array.from(told, ([, data]) => JSON.parse(data ?? '').content).join('');
    expect(text).toBe(fast.text());
  });

  test('of an answer too long to buffer disconnect lagging readers, who reload the conversation', async () => {
    const long = 'Know. '.repeat(2_900_000);
    server = await startTestServer({ model: scriptedModel(says(long)).ask });
    const visitor = createVisitor(server.url, await adminCookie(server));
    const { conversationId, status } = await takeTurn(visitor, { message: 'Go.' });
    expect(status).toBe(200);
    const path = `/api/conversations/${conversationId}`;
    expect((await visitor(`${path}/turn`)).status).toBe(204);
    const stored = await (await visitor(path)).text();
    expect(stored.length).toBeGreaterThan(long.length);
    expect(stored.includes('"status":"complete"')).toBe(true);
  });

  test('end for a reader who stops reading', async () => {
    server = await startTestServer({
      model: scriptedModel(says('Know. '.repeat(2_500_000))).ask,
    });
    server.app.http.set(readerTimeout, 300);
    const asked = once(server.server, 'request');
    say(turnRequest()).pause();
    const [, response]: [IncomingMessage, ServerResponse] = (await asked) as never;
    await waitFor(() => response.destroyed);
    expect(response.writableFinished).toBe(false);
  });
});

describe('a connection', () => {
  test('with slow headers is cut off', async () => {
    server = await startTestServer();
    server.server.headersTimeout = 300;
    const slow = say('GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    const drip = setInterval(() => slow.write('X-More: 1\r\n'), 50);
    slow.resume();
    await waitFor(() => slow.destroyed || slow.readableEnded);
    clearInterval(drip);
    expect(server.server.requestTimeout).toBeGreaterThan(0);
  });

  test('with too large headers is rejected', async () => {
    server = await startTestServer();
    const greedy = say(
      `GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    await waitFor(() => greedy.bytesRead > 0);
    expect(String(greedy.read())).toMatch(/^HTTP\/1\.1 431 /);
  });
});

test('uploads share a memory budget of 128 MiB: excess ones wait, at most 20', async () => {
  server = await startTestServer();
  const cookie = await adminCookie(server);
  const size = 32 * 1024 * 1024;
  const upload = () =>
    say(
      [
        'POST /api/admin/skills/validate HTTP/1.1',
        'Host: 127.0.0.1',
        `Cookie: ${cookie}`,
        'Content-Type: application/zip',
        `Content-Length: ${size}`,
        '\r\nPK',
      ].join('\r\n'),
    );
  const uploads = Array.from({ length: 24 }, upload);
  await expect
    .poll(async () => {
      const one = upload();
      await Promise.race([wait(200), new Promise((resolve) => one.once('readable', resolve))]);
      return String(one.read() ?? '');
    })
    .toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: \d+/i);
  for (const each of uploads) {
    each.destroy();
  }
  await waitFor(async () => {
    const admin = await signInAdmin(server);
    const report = await admin('/api/admin/skills/validate', {
      method: 'POST',
      body: 'no archive',
      headers: { 'content-type': 'application/zip' },
    });
    return report.status !== 429;
  });
});
