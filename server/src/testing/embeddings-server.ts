import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Groups of related words, one dimension each. */
const meanings = [
  ['spreadsheet', 'spreadsheets', 'excel', 'workbook', 'tabellenkalkulation'],
  ['wedding', 'marriage', 'bride', 'hochzeit'],
  ['airship', 'zeppelin', 'blimp'],
  ['keys', 'plants', 'lamps'],
];

interface EmbeddingsRequest {
  texts: readonly string[];
  headers: IncomingMessage['headers'];
  path: string | undefined;
}

export interface EmbeddingsServer {
  url: string;
  /** All requests in order. */
  requests: EmbeddingsRequest[];
  /** Overrides the response until set to undefined. */
  answer: ((texts: readonly string[], response: ServerResponse) => unknown) | undefined;
  close(): void;
}

/** A fake embeddings endpoint in OpenAI's format on loopback, with a small vocabulary. */
export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const http = createServer(async (request, response) => {
    const { input } = JSON.parse(await readText(request)) as { input: string[] };
    embeddings.requests.push({ texts: input, headers: request.headers, path: request.url });
    await (embeddings.answer ?? answerVectors)(input, response);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const close = () => {
    http.close();
    http.closeAllConnections();
  };
  onTestFinished(close);
  const embeddings: EmbeddingsServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    requests: [],
    answer: undefined,
    close,
  };
  return embeddings;
}

/** A response in OpenAI's format with arbitrary vectors. */
export function answerVectors(
  texts: readonly string[],
  response: ServerResponse,
  vectors: readonly unknown[] = texts.map(vectorOf),
): void {
  // Unordered on purpose: clients must use the index.
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ object: 'list', data: data.toReversed() }));
}

/** The embedding of a text; the last dimension is common to all. */
export function vectorOf(text: string): number[] {
  const words = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const told = meanings.map((same) => same.filter((word) => words.has(word)).length);
  return [...told.map((count) => 3 * count), 1];
}
