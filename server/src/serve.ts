import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { App } from './app.ts';
import { acceptFirst } from './platform/http/accept-first.ts';
import { limitConnections } from './platform/http/limit-connections.ts';
import { serializePipelinedRequests } from './platform/http/serialize-pipelined-requests.ts';
import { withTimeout } from './platform/lib/with-timeout.ts';

/** The running HTTP server. */
export interface Serving {
  server: Server;
  port: number;
  /** The password generated for `admin`, on the first start only. */
  newAdminPassword: string | undefined;
  /**
   * Graceful shutdown: reports not ready for `delaySeconds`, so that load balancers drain traffic.
   * Then accepts no connections, lets requests finish for ten seconds, aborts the rest, and saves
   * partial answers. Resolves once everything is closed.
   */
  stop(delaySeconds?: number): Promise<void>;
}

/** Limits per client. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  /** Includes the wait for a slot; an upload then has its own timeout. */
  requestTimeout: 30 * 60_000,
  /**
   * Longer than the keep-alive of common proxies: they report a connection closed during reuse as
   * an error.
   */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2000,
};
const maxConnections = 5000;

const graceMs = 10_000;
/** Time to write the end of an answer to disk and network. */
const lastWriteMs = 2000;
/** Timeout for closing everything; the process exits afterwards. */
const closeMs = 5000;

interface ListenOptions {
  host: string;
  port: number;
  /** Maximum connections per address; 0: unlimited. */
  connectionsPerAddress: number;
}

/**
 * Listens and creates the admin on the first start, since only then can its password be shown.
 * Rejects with the system error, after closing the application.
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
      // Not `once`: later errors of accepting connections are emitted on the server as well.
      server.on('error', reject);
      server.listen(port, host, resolve);
    });
    const newAdminPassword = await app.makeAdmin();
    const { port: chosen } = server.address() as AddressInfo;
    return {
      server,
      port: chosen,
      newAdminPassword,
      stop: async (delaySeconds = 0) => {
        app.announceStop();
        // Without a delay, the port closes immediately.
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

/** Counts running requests. */
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
      // Including connections without a complete request.
      server.closeAllConnections();
    } else {
      // Keep-alive connections that have finished their request.
      server.closeIdleConnections();
    }
  }, 100);
  const ended = Promise.all([app.finishTurns(graceMs), closed]);
  await withTimeout(graceMs + lastWriteMs, ended);
  clearInterval(sweep);
  // Ends responses whose reader does not read.
  server.closeAllConnections();
  await withTimeout(closeMs, app.close());
}
