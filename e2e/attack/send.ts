import { type Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http';

/** A raw request: nothing is normalized as a browser or `fetch` would. */
export interface HttpRequest {
  method: string;
  /** Including the encoded query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
  /** The loopback address to send from. */
  from?: string;
  /** Disconnects after receiving this many bytes. */
  leaveAfterBytes?: number;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Empty if the client disconnected. */
  body: Buffer;
}

interface SendOptions {
  agent: Agent;
  /** Timeout for the complete response. */
  timeoutMs: number;
}

/**
 * Rejects when the connection breaks or the response times out. A server may close a kept-alive connection
 * just as it is reused. GET requests are then retried once, as browsers do (RFC 9112, 9.3.1).
 */
export async function send(
  url: string,
  request: HttpRequest,
  options: SendOptions,
): Promise<HttpAnswer> {
  try {
    return await sendOnce(url, request, options);
  } catch (error) {
    if (!(error instanceof StaleConnection)) {
      throw error;
    }
    return sendOnce(url, request, options);
  }
}

/** A reused connection ended before any response arrived. */
class StaleConnection extends Error {}

function sendOnce(
  url: string,
  request: HttpRequest,
  { agent, timeoutMs }: SendOptions,
): Promise<HttpAnswer> {
  const { method, path, headers, body, from, leaveAfterBytes } = request;
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(
      { hostname, port, method, path, headers: { ...headers }, agent, localAddress: from },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        const pieces: Buffer[] = [];
        let read = 0;
        response.on('data', (piece: Buffer) => {
          read += piece.length;
          if (leaveAfterBytes === undefined) {
            pieces.push(piece);
          } else if (read >= leaveAfterBytes) {
            outgoing.destroy();
            resolve({ status, headers: answered, body: Buffer.alloc(0) });
          }
        });
        response.on('end', () =>
          resolve({ status, headers: answered, body: Buffer.concat(pieces) }),
        );
        response.on('error', reject);
      },
    );
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`No answer within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      const isIdleEnd = method === 'GET' && outgoing.reusedSocket && error.code === 'ECONNRESET';
      reject(isIdleEnd ? new StaleConnection(error.message) : error);
    });
    outgoing.end(body);
  });
}
