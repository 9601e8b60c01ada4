import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { waitFor } from './wait-for.ts';

/** A fake provider of kind `local` on loopback, whose answers are controlled by the test. */
export interface HeldProvider {
  url: string;
  /** The next requested answer. */
  asked(): Promise<HeldAnswer>;
}

interface HeldAnswer {
  say(text: string): void;
  end(): void;
}

export async function startHeldProvider(): Promise<HeldProvider> {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    waiting.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: async () => {
      await waitFor(() => waiting.length > 0);
      return answerOn(waiting.shift() as ServerResponse);
    },
  };
}

function answerOn(response: ServerResponse): HeldAnswer {
  const send = (delta: unknown, finish_reason: string | null) => {
    const head = { id: 'held', object: 'chat.completion.chunk', created: 0, model: 'held' };
    const chunk = { ...head, choices: [{ index: 0, delta, finish_reason }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  return {
    say: (content) => send({ content }, null),
    end: () => {
      send({}, 'stop');
      response.end('data: [DONE]\n\n');
    },
  };
}
