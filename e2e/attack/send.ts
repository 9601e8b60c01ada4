import { type Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http';

/** A request as it goes over the wire: nothing is put right that a browser or `fetch` would. */
export interface HttpRequest {
  method: string;
  /** With its query, encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer | undefined;
  /** The address on loopback it comes from. */
  from?: string;
  /** Goes away when this many bytes of the answer have come. */
  leaveAfterBytes?: number;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Empty for one that was left. */
  body: Buffer;
}

interface SendOptions {
  agent: Agent;
  /** For the whole of the answer. */
  timeoutMs: number;
}

/**
 * Rejects when the connection breaks, and when the answer is not there in time. A server may end a connection
 * that is kept open just when it is used again: what only reads is then asked once more, as browsers do (RFC
 * 9112, 9.3.1).
 */
export async function send(
  url: string,
  request: HttpRequest,
  options: SendOptions,
): Promise<HttpAnswer> {
  try {
    return await sendOnce(url, request, options);
  } catch (error) {
    if (!(error instanceof EndedMeanwhile)) {
      throw error;
    }
    return sendOnce(url, request, options);
  }
}

/** Before anything of an answer came on a connection that had been used before. */
class EndedMeanwhile extends Error {}

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
      reject(isIdleEnd ? new EndedMeanwhile(error.message) : error);
    });
    outgoing.end(body);
  });
}
