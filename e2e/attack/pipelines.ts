import { setTimeout as wait } from 'node:timers/promises';
import { say } from '../provider-script.ts';
import { rawTurn, takeTurn } from './chat-turn.ts';
import type { Field } from './field.ts';
import { inParallel } from './in-parallel.ts';
import { openSocket } from './raw-socket.ts';

/** Pipelines hundreds of requests on a connection before the first response, then disconnects. */
export async function attackWithPipelines(field: Field): Promise<void> {
  const { isShort } = field.options;
  field.provider.plays(say('Yes.'));
  await inParallel(10, isShort ? 60 : 600, async (each) => {
    if (!field.isOver) {
      await pipeline(field, each);
    }
  });
  await takeTurn(field, { as: 'anonymous', message: 'Are you there?' });
}

async function pipeline(field: Field, each: number): Promise<void> {
  const socket = await openSocket(field.knowhow.url);
  // Half of them read the responses.
  if (each % 2 === 0) {
    socket.resume();
  }
  socket.write(Array.from({ length: 300 }, () => createRequest(field, each)).join(''));
  field.requests += 300;
  await wait(100);
  socket.destroy();
}

function createRequest(field: Field, each: number): string {
  const { url } = field.knowhow;
  const common = [
    `Host: ${new URL(url).host}`,
    `Origin: ${url}`,
    `Cookie: ${field.getCookie('anonymous')}`,
  ];
  const paths = ['/', '/api/health', '/api/skills', '/api/skills/attack-big/files/big.bin'];
  const path = paths[each % (paths.length + 1)];
  if (path !== undefined) {
    return [`GET ${path} HTTP/1.1`, ...common, '', ''].join('\r\n');
  }
  return rawTurn(field, 'One of many.');
}
