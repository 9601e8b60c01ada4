import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from '../provider-script.ts';
import { takeTurn } from './chat-turn.ts';
import { type Field, userPassword } from './field.ts';
import { inParallel } from './in-parallel.ts';
import { openSocket } from './raw-socket.ts';

/** Time limit for a user at another address meanwhile. */
const patienceMs = 1000;
const userAddress = '127.0.0.2';

/**
 * Sends only half of each sign-in request from one address (slowloris). A user at another address must be
 * able to sign in and chat.
 */
export async function attackWithHalves(field: Field): Promise<void> {
  const { isShort } = field.options;
  field.provider.plays(say('Yes.'));
  const sockets: Socket[] = [];
  try {
    // The long form exceeds the total connection limit.
    await inParallel(100, isShort ? 300 : 5200, async (each) => {
      const socket = await openSocket(field.knowhow.url);
      socket.write(halfRequest(field, each));
      socket.resume();
      sockets.push(socket);
      field.requests += 1;
    });
    await inParallel(1, isShort ? 2 : 10, async () => {
      if (!field.isOver) {
        await signInAndChat(field);
        drip(sockets);
        await wait(200);
      }
    });
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
  }
}

async function signInAndChat(field: Field): Promise<void> {
  const maxMs = patienceMs * field.options.patience;
  const started = performance.now();
  const { status } = await field.signIn('mallory', userPassword, userAddress);
  const signedIn = performance.now();
  field.check(status === 200, `A sign-in from ${userAddress} is answered with ${status}.`);
  field.check(
    signedIn - started < maxMs,
    `A sign-in from ${userAddress} takes ${(signedIn - started).toFixed(0)} ms.`,
  );
  await takeTurn(field, { as: 'user', message: 'Are you there?', from: userAddress });
  const ms = performance.now() - signedIn;
  field.check(ms < maxMs, `A turn from ${userAddress} takes ${ms.toFixed(0)} ms.`);
}

/** Some stop in the headers, some in the body, some announce an oversized body. */
function halfRequest(field: Field, each: number): string {
  const { host } = new URL(field.knowhow.url);
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  const halves = [
    `${head}Content-Length: 60\r\n\r\n{"username":"admin",`,
    head,
    `${head}Content-Length: 400000000\r\n\r\n{"username":"`,
    `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"use`,
  ];
  return halves[each % halves.length] ?? head;
}

/** Sends one more byte on each open connection, so that none is idle. */
function drip(sockets: Socket[]): void {
  for (const socket of sockets) {
    if (socket.writable) {
      socket.write('x');
    }
  }
}
