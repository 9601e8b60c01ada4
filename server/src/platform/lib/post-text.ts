import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { lookupExceptLinkLocal, refuseLinkLocal } from './outbound/refuse-link-local.ts';

interface Post {
  headers: Record<string, string>;
  body: string;
  /** Aborts the request, including reading the response. */
  signal: AbortSignal;
}

// No connection limit; idle connections are kept alive briefly.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/**
 * Posts a text and resolves once response headers arrive; read the body with `for await`. Takes a
 * third of the CPU time of `fetch`, whose streams have overhead per chunk. Does not follow
 * redirects. Throws `LinkLocalAddress` before connecting to one.
 */
export async function postText(url: URL, post: Post): Promise<IncomingMessage> {
  try {
    return await send(url, post);
  } catch (error) {
    // Race: the server may close an idle connection just as it is reused.
    if (error instanceof StaleConnection) {
      return send(url, post);
    }
    throw error;
  }
}

class StaleConnection extends Error {}

function send(url: URL, { headers, body, signal }: Post): Promise<IncomingMessage> {
  refuseLinkLocal(url);
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: secure ? httpsAgent : httpAgent,
      lookup: lookupExceptLinkLocal(),
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    const abort = () => outgoing.destroy();
    signal.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => signal.removeEventListener('abort', abort));
    if (signal.aborted) {
      abort();
    }
    outgoing.once('response', (answer) => {
      // The reader gets the error; this listener avoids a crash while no one is reading.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const stale = outgoing.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
      reject(stale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    outgoing.end(body);
  });
}
