import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface Raw {
  socket: Socket;
  /** Everything received so far. */
  readonly heard: string;
  /** Resolves with everything received once the connection is closed. */
  ended: Promise<string>;
}

/** A raw connection, for requests no client library would send; closed with the test. */
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

/** A raw request without body. `Connection: close` makes the response end it. */
export function requestText(line: string, headers: string[] = []): string {
  return [`${line} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '\r\n'].join(
    '\r\n',
  );
}
