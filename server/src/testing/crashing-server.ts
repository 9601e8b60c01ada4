import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createApp } from '../app.ts';
import { type Environment, parseEnvironment } from '../env.ts';
import { createPasswords } from '../modules/identity/passwords.ts';
import { createLog } from '../platform/lib/log.ts';
import { serve } from '../serve.ts';

// Run by tests in a separate process, to be killed. Like the product, but with a slow fake model
// and fast password hashes. Loads first and starts on request, once for each given folder with
// `contents/` and `data/`. Prints the ports in order.

// biome-ignore lint/style/noProcessEnv: only used by tests.
const words = Number(process.env.WORDS ?? 10);
// biome-ignore lint/style/noProcessEnv: only used by tests.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
if (shiftMs !== 0) {
  shiftClock();
}

process.stdout.write('loaded\n');
await once(process.stdin, 'data');
const passwords = createPasswords(4);
const servings = await Promise.all(process.argv.slice(2).map(start));
// Like the product; also keeps the data folder locks from being garbage-collected.
process.once('SIGTERM', () => void servings.map(({ stop }) => stop()));
process.stdout.write(`ports ${servings.map(({ port }) => port).join(' ')}.\n`);

async function start(folder: string) {
  const environment = {
    ...(await readEnvironmentOf(folder)),
    contentsDirectory: join(folder, 'contents'),
    dataDirectory: join(folder, 'data'),
  };
  const app = await createApp({
    environment,
    log: createLog('silent'),
    openModel: () =>
      async function* ({ messages }, signal) {
        // For tests that count how often each question is asked.
        process.send?.({ asked: messages.at(-1)?.content });
        for (let said = 0; said < words; said += 1) {
          yield { type: 'text', text: `${said} ` };
          await wait(5, undefined, { signal });
        }
      },
    passwords,
    findModels: () => Promise.resolve([]),
  });
  const serving = await serve(app, { ...environment, host: '127.0.0.1', port: 0 });
  await app.ready;
  return serving;
}

/** The process environment, merged with `environment.json` of a folder. */
async function readEnvironmentOf(folder: string): Promise<Environment> {
  const own = await readFile(join(folder, 'environment.json'), 'utf8').catch(() => '{}');
  // biome-ignore lint/style/noProcessEnv: only used by tests.
  return parseEnvironment({ ...process.env, ...JSON.parse(own) });
}

/** Simulates a wrong system clock. */
function shiftClock(): void {
  const RightDate = Date;
  const shiftedNow = () => RightDate.now() + shiftMs;
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, values) =>
      Reflect.construct(target, values.length === 0 ? [shiftedNow()] : values),
    get: (target, name) => (name === 'now' ? shiftedNow : Reflect.get(target, name)),
  });
}
