import { say, send } from '../provider-script.ts';
import { rawTurn, takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { inParallel } from './in-parallel.ts';
import { openSocket } from './raw-socket.ts';

/** Time limit for other users' answers meanwhile. */
const patienceMs = 1000;

/** Requests long answers and large files, reads nothing, and disconnects after a while (backpressure). */
export async function attackWithStalledReaders(field: Field): Promise<void> {
  const { isShort } = field.options;
  const sockets = await Promise.all(
    Array.from({ length: isShort ? 40 : 200 }, async (_, each) => {
      const socket = (await openSocket(field.knowhow.url)).pause();
      socket.write(createRequest(field, each));
      field.requests += 1;
      return socket;
    }),
  );
  try {
    await inParallel(1, isShort ? 3 : 30, async () => {
      field.provider.plays(say('Yes.'));
      const started = performance.now();
      await takeTurn(field, { as: 'user', message: 'Are you there?' });
      const ms = performance.now() - started;
      field.check(
        ms < patienceMs * field.options.patience,
        `With stalled readers, a turn takes ${ms.toFixed(0)} ms.`,
      );
    });
  } finally {
    for (const socket of sockets) {
      socket.destroy();
    }
  }
}

function createRequest(field: Field, each: number): string {
  const { url } = field.knowhow;
  const { host } = new URL(url);
  const common = [`Host: ${host}`, `Origin: ${url}`, `Cookie: ${field.getCookie('anonymous')}`];
  if (each % 4 === 0) {
    return [`GET /api/skills/attack-big/files/big.bin HTTP/1.1`, ...common, '', ''].join('\r\n');
  }
  field.provider.plays(longAnswer);
  return rawTurn(field, 'At length.');
}

const piece = `data: ${JSON.stringify({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'x',
  choices: [{ index: 0, delta: { content: 'a'.repeat(10_000) }, finish_reason: null }],
})}\n\n`;
const longAnswer = [send(Array.from({ length: 200 }, () => piece))];
