import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { getHttpStatus } from './describe-failure.ts';
import type { McpFetch } from './server-session.ts';

/** How a server of the deprecated transport may answer a POST to its stream URL. */
const refusals: readonly (number | undefined)[] = [400, 404, 405];
const waitMs = 3000;
const maxCharacters = 4096;

/**
 * Whether a server that rejected the first message speaks the deprecated HTTP+SSE transport (MCP
 * 2024-11-05), which answers a GET with an `endpoint` event. The specification asks clients to try
 * this.
 */
export async function usesDeprecatedTransport(
  server: Extract<McpServer, { kind: 'http' }>,
  { error, fetch, signal }: { error: unknown; fetch: McpFetch; signal: AbortSignal },
): Promise<boolean> {
  if (!refusals.includes(getHttpStatus(error))) {
    return false;
  }
  const controller = new AbortController();
  const timeout = AbortSignal.timeout(waitMs);
  try {
    const answer = await fetch(server.url, {
      headers: { ...server.headers, accept: 'text/event-stream' },
      signal: AbortSignal.any([controller.signal, timeout, signal]),
      redirect: 'manual',
    });
    const isStream = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
    return answer.ok && isStream && answer.body ? await streamsEndpoint(answer.body) : false;
  } catch {
    return false;
  } finally {
    controller.abort();
  }
}

async function streamsEndpoint(body: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (/^event:\s*endpoint\s*$/m.test(text.slice(0, maxCharacters))) {
      return true;
    }
    if (text.length > maxCharacters) {
      return false;
    }
  }
  return false;
}
