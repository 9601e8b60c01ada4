import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from './app.ts';
import { acceptFirst } from './http/accept-first.ts';
import { limitConnections } from './http/limit-connections.ts';
import { serializePipelinedRequests } from './http/serialize-pipelined-requests.ts';
import { withTimeout } from './lib/with-timeout.ts';

/** The application, to be reached over the network. */
export interface Serving {
  server: Server;
  port: number;
  /** The password just made for `admin`, on the first start only. */
  newAdminPassword: string | undefined;
  /**
   * Says that it is not ready for `delaySeconds`, so that a load balancer turns to others while the port is still
   * open. Then takes no connection any more, lets what is under way end for ten seconds, stops the rest, and stores
   * what there is. Resolves when everything is closed.
   */
  stop(delaySeconds?: number): Promise<void>;
}

/** What one client can hold of the server, and for how long. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  /** An upload of 512 MiB over a slow line fits in. */
  requestTimeout: 20 * 60_000,
  /** Longer than proxies commonly keep a connection: they take one that is just being closed for a fault. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
};
const maxConnections = 5000;

const graceMs = 10_000;
/** For the end of an answer to be written to the disk and to the network. */
const lastWriteMs = 2000;
/** For everything to be closed: what hangs then ends with the process. */
const closeMs = 5000;

interface ListenOptions {
  host: string;
  port: number;
  /** The most of one address; 0 for no limit. */
  connectionsPerAddress: number;
}

/**
 * Listens, and makes the admin of a first start: only then somebody will see the password. Rejects
 * when it cannot, with the system's error; the application is closed then.
 */
export async function serve(
  app: App,
  { host, port, connectionsPerAddress }: ListenOptions,
): Promise<Serving> {
  const requests = { running: 0 };
  const server = createServer(limits);
  const handle = countRequests(acceptFirst(server, app.http), requests);
  server.on('request', serializePipelinedRequests(handle));
  server.maxConnections = maxConnections;
  limitConnections(server, app.http, connectionsPerAddress);
  try {
    await new Promise<void>((resolve, reject) => {
      // Not `once`: a connection that cannot be accepted later is an error of the server, too.
      server.on('error', reject);
      server.listen(port, host, resolve);
    });
    const newAdminPassword = await app.makeAdmin();
    const { port: chosen } = server.address() as AddressInfo;
    return {
      ...{ server, port: chosen, newAdminPassword },
      stop: async (delaySeconds = 0) => {
        app.announceStop();
        // Without a delay the port closes in the same moment.
        if (delaySeconds > 0) {
          await wait(delaySeconds * 1000);
        }
        await stop(server, app, requests);
      },
    };
  } catch (error) {
    server.close();
    await app.close();
    throw error;
  }
}

/** Counts the requests that are being answered. */
function countRequests(handle: RequestListener, requests: { running: number }): RequestListener {
  return (request, response) => {
    requests.running += 1;
    response.once('close', () => {
      requests.running -= 1;
    });
    handle(request, response);
  };
}

async function stop(server: Server, app: App, requests: { running: number }): Promise<void> {
  const closed = new Promise<unknown>((resolve) => server.close(resolve));
  const sweep = setInterval(() => {
    if (requests.running === 0) {
      // Also those that have sent nothing yet, or half a request.
      server.closeAllConnections();
    } else {
      // Whoever has had an answer keeps the connection, for a next request that shall not come.
      server.closeIdleConnections();
    }
  }, 100);
  const ended = Promise.all([app.finishTurns(graceMs), closed]);
  await withTimeout(graceMs + lastWriteMs, ended);
  clearInterval(sweep);
  // Ends what waits for a reader that does not read.
  server.closeAllConnections();
  await withTimeout(closeMs, app.close());
}
