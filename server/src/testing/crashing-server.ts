import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createPasswords } from '../access/passwords.ts';
import { createApp } from '../app.ts';
import { readEnvironment } from '../env.ts';
import { createLog } from '../lib/log.ts';
import { serve } from '../serve.ts';

// Run by tests as a process of its own, to be killed: the product, but for a model that says a little
// at a time, and passwords that are quick to check. Loads first, and starts when it is asked to.

const environment = readEnvironment();
process.stdout.write('loaded\n');
await once(process.stdin, 'data');
const app = await createApp({
  environment,
  log: createLog('silent'),
  openModel: () =>
    async function* () {
      for (let said = 0; said < 10; said += 1) {
        yield { type: 'text', text: `${said} ` };
        await wait(5);
      }
    },
  passwords: createPasswords(4),
  findModels: () => Promise.resolve([]),
});
const serving = await serve(app, { ...environment, host: '127.0.0.1', port: 0 });
// As the product does: it keeps what holds the lock of the data folder from the garbage collector.
process.once('SIGTERM', () => void serving.stop());
await app.ready;
process.stdout.write(`port ${serving.port}\n`);
