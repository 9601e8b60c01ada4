import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** Converts a Node request for the MCP library. */
export function webRequest(request: IncomingMessage): Request {
  const { method = 'GET', headers, url = '/' } = request;
  const pairs = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const body = method === 'POST' ? { body: Readable.toWeb(request), duplex: 'half' } : {};
  const init = { method, headers: pairs, ...body } as RequestInit;
  return new Request(new URL(url, 'http://127.0.0.1'), init);
}

/** Streams a web response to a Node response. */
export async function sendWeb(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  const reader = answer.body?.getReader();
  response.once('close', () => void reader?.cancel().catch(() => undefined));
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    response.write(part.value);
  }
  response.end();
}
