/**
 * The minimal server between browser and provider, in its own process: Express, fetch, pipe. Its argument is
 * the provider's address.
 */
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import express from 'express';

const provider = process.argv[2] ?? '';
const app = express();

app.post('/v1/chat/completions', express.json(), async (request, response) => {
  const answer = await fetch(`${provider}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request.body),
  });
  response.status(answer.status).type('text/event-stream');
  // The DOM's and Node's type of the same stream differ in name only.
  Readable.fromWeb(answer.body as ReadableStream).pipe(response);
});

const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
server.keepAliveTimeout = 60_000;
process.on('disconnect', () => process.exit());
