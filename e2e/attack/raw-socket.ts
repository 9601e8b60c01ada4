import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface RawOptions {
  from?: string;
  /** Half-closes the connection after writing. */
  end?: boolean;
  timeoutMs?: number;
}

/** A raw connection to a server. Ignores socket errors: the server may close it. */
export async function openSocket(url: string, from = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/** Writes raw bytes. Returns everything received until the server closes or the timeout. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  { from, end = false, timeoutMs = 3000 }: RawOptions = {},
): Promise<string> {
  const socket = await openSocket(url, from);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  socket.write(bytes);
  if (end) {
    socket.end();
  }
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  if (!socket.destroyed) {
    await once(socket, 'close');
  }
  clearTimeout(timer);
  return answer;
}
