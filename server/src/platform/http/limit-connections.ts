import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { addressBlock } from './address-block.ts';

/**
 * Limits the connections per address; 0 disables the limit. Trusted proxies are exempt because all clients
 * share them. When the server runs out of connections, it closes idle ones.
 */
export function limitConnections(server: Server, app: Express, maxPerAddress: number): void {
  const open = new Map<string, number>();
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (maxPerAddress === 0 || remoteAddress === undefined || isTrusted(remoteAddress, 0)) {
      return;
    }
    const address = addressBlock({ ip: remoteAddress });
    const own = open.get(address) ?? 0;
    if (own >= maxPerAddress) {
      socket.destroy();
      return;
    }
    open.set(address, own + 1);
    socket.once('close', () => {
      const remaining = (open.get(address) ?? 1) - 1;
      if (remaining > 0) {
        open.set(address, remaining);
      } else {
        open.delete(address);
      }
    });
  });
  server.on('drop', () => server.closeIdleConnections());
}
