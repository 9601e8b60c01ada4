import { once } from 'node:events';
import { createServer, request as requestTo, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy between browser and product that records every byte the product sends. */
export class RecordingProxy {
  private readonly responses: { path: string; sent: string }[] = [];
  private readonly server: Server;

  private constructor(target: string) {
    this.server = createServer((incoming, outgoing) => {
      // Without this header nothing is compressed, so that responses are searchable.
      const { 'accept-encoding': _, ...headers } = incoming.headers;
      const path = incoming.url ?? '/';
      const onward = requestTo(new URL(path, target), { method: incoming.method, headers });
      onward.on('response', (response) => {
        const record = { path, sent: response.rawHeaders.join('\n') };
        this.responses.push(record);
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.on('data', (bytes: Buffer) => {
          record.sent += bytes.toString('latin1');
        });
        response.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      outgoing.on('close', () => onward.destroy());
      incoming.pipe(onward);
    });
  }

  static async start(target: string): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(target);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Paths whose responses, headers or body, contained a text (ASCII letters). */
  pathsThatSent(text: string): string[] {
    return this.responses.filter(({ sent }) => sent.includes(text)).map(({ path }) => path);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
