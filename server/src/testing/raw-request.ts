import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface Raw {
  socket: Socket;
  /** All that has come so far. */
  readonly heard: string;
  /** Resolves with all that came when the other side has ended, or broken, the connection. */
  ended: Promise<string>;
}

/** A connection of a test's own, for what no client library would send; ends with the test. */
export function rawRequest(url: string, text: string | Uint8Array, from = '127.0.0.1'): Raw {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk;
  });
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(heard));
  });
  socket.write(text);
  return {
    socket,
    get heard() {
      return heard;
    },
    ended,
  };
}

/** A request as it goes over the line, without a body. `Connection: close`, so that an answer ends it. */
export function requestText(line: string, headers: string[] = []): string {
  return [`${line} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '\r\n'].join(
    '\r\n',
  );
}
