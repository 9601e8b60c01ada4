import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Express } from 'express';
import { addressBlock } from './address-block.ts';

/**
 * Cuts off the connections of an address beyond so many; 0 switches it off. A trusted proxy may have as
 * many as it needs, since all come through it. When there is no room for anybody any more, those go that
 * wait for their next request.
 */
export function limitConnections(server: Server, app: Express, most: number): void {
  const open = new Map<string, number>();
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (most === 0 || remoteAddress === undefined || isTrusted(remoteAddress, 0)) {
      return;
    }
    const address = addressBlock({ ip: remoteAddress });
    const own = open.get(address) ?? 0;
    if (own >= most) {
      socket.destroy();
      return;
    }
    open.set(address, own + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) {
        open.set(address, left);
      } else {
        open.delete(address);
      }
    });
  });
  server.on('drop', () => server.closeIdleConnections());
}
