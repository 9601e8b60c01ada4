import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/** A response of a scripted server. */
export interface ScriptedResponse {
  status?: number;
  headers?: Record<string, string>;
  /** Each is flushed before the next. */
  chunks?: (string | Buffer)[];
  /** The behaviour after the chunks: `silence` keeps the connection open, `cut` destroys it. */
  ending?: 'end' | 'cut' | 'silence';
  /** Sends nothing, not even a status. */
  mute?: boolean;
}

interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The client's port, to distinguish connections. */
  port: number | undefined;
  /** The raw body. */
  raw: string;
  /** Parsed JSON; undefined without a body. */
  body: unknown;
  /** Resolves if the client disconnects before the response is complete. */
  abandoned: Promise<void>;
}

export interface ScriptedHttp {
  origin: string;
  requests: RecordedRequest[];
  /** Queues responses, one per request. Other requests are answered by the default, or with 500. */
  reply(...responses: ScriptedResponse[]): void;
  close(): Promise<void>;
}

/** A scripted server for each test of a file. */
export function scriptedHttp(): ScriptedHttp {
  const notYet = () => {
    throw new Error('The scripted server is only available within a test.');
  };
  const server: ScriptedHttp = { origin: '', requests: [], reply: notYet, close: notYet };
  beforeEach(async () => {
    Object.assign(server, await startScriptedHttp());
  });
  afterEach(() => server.close());
  return server;
}

/**
 * A loopback server that plays prepared responses byte by byte and records requests.
 *
 * @param choose the default response
 */
export async function startScriptedHttp(
  choose: (request: RecordedRequest) => ScriptedResponse = () => ({ status: 500 }),
): Promise<ScriptedHttp> {
  const requests: RecordedRequest[] = [];
  const script: ScriptedResponse[] = [];
  const server = createServer({ noDelay: true }, async (request, response) => {
    const abandoned = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) {
          resolve();
        }
      });
    });
    const raw = await text(request);
    const recorded: RecordedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      port: request.socket.remotePort,
      raw,
      get body() {
        return raw === '' ? undefined : JSON.parse(raw);
      },
      abandoned,
    };
    requests.push(recorded);
    await play(script.shift() ?? choose(recorded), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    reply: (...responses) => script.push(...responses),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function play(script: ScriptedResponse, response: ServerResponse): Promise<void> {
  if (script.mute) {
    if (script.ending === 'cut') {
      response.destroy();
    }
    return;
  }
  response.writeHead(script.status ?? 200, {
    'content-type': 'text/event-stream',
    ...script.headers,
  });
  response.flushHeaders();
  for (const chunk of script.chunks ?? []) {
    await new Promise((resolve) => response.write(chunk, resolve));
    await setImmediate();
  }
  if (script.ending === 'cut') {
    response.destroy();
  }
  if ((script.ending ?? 'end') === 'end') {
    response.end();
  }
}

/** Splits a text into chunks of `size` bytes, to break up characters and lines. */
export function bytesOf(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
