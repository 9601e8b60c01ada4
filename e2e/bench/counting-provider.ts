/**
 * A model provider in its own process that counts the requests per message, identified by `ask=<id>` in the
 * last one. It streams `words` words, one every `everyMs` (arguments). `GET /asked` returns the counts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const [words = 40, everyMs = 100] = process.argv.slice(2).map(Number);
const asked = new Map<string, number>();

const server = createServer((request, response) => {
  if (request.url?.endsWith('/asked')) {
    response.end(JSON.stringify(Object.fromEntries(asked)));
    return;
  }
  answer(request, response).catch(() => response.destroy());
}).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('disconnect', () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) {
    body += piece;
  }
  const id = /ask=([0-9a-f-]{36})/.exec(body.slice(body.lastIndexOf('ask=')))?.[1];
  if (id) {
    asked.set(id, (asked.get(id) ?? 0) + 1);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let word = 1; word <= words; word += 1) {
    response.write(`data: ${JSON.stringify(chunk({ content: `${word} ` }, null))}\n\n`);
    await wait(everyMs);
  }
  response.end(`data: ${JSON.stringify(chunk({}, 'stop'))}\n\ndata: [DONE]\n\n`);
}

function chunk(delta: object, reason: 'stop' | null) {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return { id: 'one', object: 'chat.completion.chunk', created: 0, model: 'one', choices };
}
