import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from '../provider-script.ts';
import { takeTurn } from './chat-turn.ts';
import { type Field, userPassword } from './field.ts';
import { inParallel } from './in-parallel.ts';
import { openSocket } from './raw-socket.ts';

/** What a person at another address waits for, meanwhile. */
const patienceMs = 1000;
const person = '127.0.0.2';

/** Sends the first half of sign-ins from one address; somebody at another one comes in and chats. */
export async function attackWithHalves(field: Field): Promise<void> {
  const { isShort } = field.options;
  field.provider.plays(say('Yes.'));
  const sockets: Socket[] = [];
  try {
    // In the long form more than the connections there may be in all.
    await inParallel(100, isShort ? 300 : 5200, async (each) => {
      const socket = await openSocket(field.knowhow.url);
      socket.write(halfRequest(field, each));
      socket.resume();
      sockets.push(socket);
      field.requests += 1;
    });
    await inParallel(1, isShort ? 2 : 10, async () => {
      if (!field.isOver) {
        await comeIn(field);
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

async function comeIn(field: Field): Promise<void> {
  const most = patienceMs * field.options.patience;
  const started = performance.now();
  const { status } = await field.signIn('mallory', userPassword, person);
  const signedIn = performance.now();
  field.check(status === 200, `A sign-in from ${person} is answered with ${status}.`);
  field.check(
    signedIn - started < most,
    `A sign-in from ${person} takes ${(signedIn - started).toFixed(0)} ms.`,
  );
  await takeTurn(field, { as: 'user', message: 'Am I heard?', from: person });
  const ms = performance.now() - signedIn;
  field.check(ms < most, `A turn from ${person} takes ${ms.toFixed(0)} ms.`);
}

/** Some stop in the head, some in the body; some have a body to come that is longer than any may be. */
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

/** A byte more from each that is still open, so that none of them is silent. */
function drip(sockets: Socket[]): void {
  for (const socket of sockets) {
    if (socket.writable) {
      socket.write('x');
    }
  }
}
