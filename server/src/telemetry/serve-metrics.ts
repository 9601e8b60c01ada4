import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Of the text that Prometheus reads. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** A server of its own for the metrics, without access control. */
export interface MetricsServer {
  port: number;
  close(): void;
}

/** What one client can hold of it, and for how long. */
const limits = { headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 65_000 };
const maxConnections = 50;

/** Serves `/metrics`. Rejects with the system's error when it cannot listen. */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  readMetrics: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer(limits, answerWith(readMetrics));
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    // Not `once`: a connection that cannot be accepted later is an error of the server, too.
    server.on('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    port: chosen,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerWith(readMetrics: () => Promise<string>): RequestListener {
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Read GET /metrics.\n');
      return;
    }
    readMetrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metricsType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
}
