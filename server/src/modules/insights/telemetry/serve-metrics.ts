import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Content type of the Prometheus text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** A separate server for metrics, without access control. */
export interface MetricsServer {
  port: number;
  close(): void;
}

/** Limits for slow clients. */
const limits = { headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 65_000 };
const maxConnections = 50;

/** Serves `/metrics`. Rejects with the system's error if it cannot listen. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  readMetrics: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer(limits, createHandler(readMetrics));
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    // Not `once`: failures to accept a connection later are server errors, too.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    port: actualPort,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function createHandler(readMetrics: () => Promise<string>): RequestListener {
  return (request, response) => {
    const isReadRequest = request.method === 'GET' || request.method === 'HEAD';
    if (!isReadRequest || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Read GET /metrics.\n');
      return;
    }
    readMetrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metricsType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
}
