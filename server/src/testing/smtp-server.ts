import { createServer, type Socket } from 'node:net';
import { afterEach } from 'vitest';

interface ReceivedMail {
  to: string[];
  /** Header lines by lower-case name, unfolded. */
  headers: Map<string, string>;
  /** With decoded transfer encoding. */
  text: string;
}

/** How the server treats a message: it may refuse it for good, defer the recipient `cem`, or never answer. */
export type SmtpMode = 'accept' | 'refuse' | 'defer' | 'hang';

export interface SmtpServer {
  url: string;
  received: ReceivedMail[];
  mode: SmtpMode;
  /** Number of connections so far. */
  connections: number;
  close(): Promise<void>;
}

/** A mail server on loopback that keeps what it receives. It is closed after the test. */
export async function startSmtpServer(port = 0): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    socket.on('close', () => sockets.delete(socket));
    state.connections += 1;
    if (state.mode !== 'hang') {
      serveClient(socket, state);
    }
  });
  const state: SmtpServer = {
    url: '',
    received: [],
    mode: 'accept',
    connections: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) {
          socket.destroy();
        }
        server.close(() => resolve());
      }),
  };
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  state.url = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  afterEach(state.close);
  return state;
}

/** The commands of RFC 5321 that a client needs, without extensions. */
function serveClient(socket: Socket, state: SmtpServer): void {
  let buffered = '';
  let recipients: string[] = [];
  let isData = false;
  const answer = (line: string) => socket.write(`${line}\r\n`);
  const readMessage = () => {
    const end = buffered.indexOf('\r\n.\r\n');
    if (end === -1) {
      return false;
    }
    state.received.push(parseMail(recipients, buffered.slice(0, end)));
    buffered = buffered.slice(end + 5);
    isData = false;
    recipients = [];
    answer('250 Kept');
    return true;
  };
  const readCommand = () => {
    const end = buffered.indexOf('\r\n');
    if (end === -1) {
      return false;
    }
    const line = buffered.slice(0, end);
    buffered = buffered.slice(end + 2);
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'RCPT' && state.mode === 'refuse') {
      answer('550 No such user');
    } else if (verb === 'RCPT' && state.mode === 'defer' && line.includes('<cem@')) {
      answer('451 Try again later');
    } else if (verb === 'RCPT') {
      recipients.push(/<([^>]*)>/.exec(line)?.[1] ?? line);
      answer('250 OK');
    } else if (verb === 'DATA') {
      isData = true;
      answer('354 Go on');
    } else if (verb === 'QUIT') {
      socket.end('221 Bye\r\n');
    } else {
      answer('250 OK');
    }
    return true;
  };
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    buffered += String(chunk);
    while (isData ? readMessage() : readCommand()) {
      // Reads on.
    }
  });
  answer('220 test');
}

function parseMail(to: string[], raw: string): ReceivedMail {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const [, name = line, value = ''] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
      return [name.toLowerCase(), decodeWords(value)];
    }),
  );
  const text = body.join('\r\n\r\n').replace(/^\.\./gm, '.');
  const encoding = headers.get('content-transfer-encoding');
  return { to, headers, text: decodeBody(text, encoding).replaceAll('\r\n', '\n') };
}

function decodeBody(text: string, encoding: string | undefined): string {
  if (encoding === 'base64') {
    return Buffer.from(text, 'base64').toString();
  }
  return encoding === 'quoted-printable' ? decodeQuoted(text.replace(/=\r\n/g, '')) : text;
}

/** Words of RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([\dA-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
