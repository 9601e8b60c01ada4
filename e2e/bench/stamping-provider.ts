/**
 * A model provider for the bench, in its own process. Its tokens are the time of their own sending, in
 * microseconds of the machine's monotonic clock. The last message can request a pattern: `bench tokens=500
 * wait=300 every=20`, in milliseconds before the first token and between tokens. Each token is written in its
 * own turn of the event loop, so that answers interleave as at a real provider.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait, setImmediate as yieldToEventLoop } from 'node:timers/promises';

const head =
  'data: {"id":"bench","object":"chat.completion.chunk","created":0,"model":"bench","choices":[{"index":0,"delta":{"content":"';
const tail = ' "},"finish_reason":null}]}\n\n';
const end =
  'data: {"id":"bench","object":"chat.completion.chunk","created":0,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
}).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
server.keepAliveTimeout = 60_000;
process.on('disconnect', () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) {
    body += piece;
  }
  const last = body.slice(Math.max(0, body.lastIndexOf('bench tokens=')));
  const wish = /bench tokens=(\d+) wait=(\d+) every=(\d+)/.exec(last);
  const tokens = Number(wish?.[1] ?? 1);
  const waitMs = Number(wish?.[2] ?? 0);
  const everyMs = Number(wish?.[3] ?? 0);
  if (waitMs > 0) {
    await wait(waitMs);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let token = 0; token < tokens; token++) {
    response.write(`${head}${process.hrtime.bigint() / 1000n}${tail}`);
    await (everyMs > 0 ? wait(everyMs) : yieldToEventLoop());
  }
  response.end(end);
}
