import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/** One answer of a scripted server. */
export interface ScriptedResponse {
  status?: number;
  headers?: Record<string, string>;
  /** Each is sent, and has left the process, before the next. */
  chunks?: (string | Buffer)[];
  /** What comes after the chunks; `silence` keeps the connection open, `cut` destroys it. */
  ending?: 'end' | 'cut' | 'silence';
  /** Not even a status is sent. */
  mute?: boolean;
}

interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The client's port, which distinguishes its connections. */
  port: number | undefined;
  /** The body as it came. */
  raw: string;
  /** Parsed as JSON; undefined when there was none. */
  body: unknown;
  /** Resolves when the client goes away before the whole answer was sent. */
  abandoned: Promise<void>;
}

export interface ScriptedHttp {
  origin: string;
  requests: RecordedRequest[];
  /** Queues answers, one a request. A request without one is answered by the server's own rule, or with 500. */
  reply(...responses: ScriptedResponse[]): void;
  close(): Promise<void>;
}

/** Such a server for each test of a file: its own is begun before it, and closed after it. */
export function scriptedHttp(): ScriptedHttp {
  const notYet = () => {
    throw new Error('The scripted server is there within a test only.');
  };
  const server: ScriptedHttp = { origin: '', requests: [], reply: notYet, close: notYet };
  beforeEach(async () => {
    Object.assign(server, await startScriptedHttp());
  });
  afterEach(() => server.close());
  return server;
}

/**
 * A server on loopback that plays prepared answers byte by byte and records what it was asked.
 *
 * @param choose what answers a request for which none is prepared
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

/** The bytes of a text in pieces of `size`, so that characters and lines fall apart. */
export function bytesOf(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
