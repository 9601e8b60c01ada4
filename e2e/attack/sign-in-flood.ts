import { adminPassword } from '../start-knowhow.ts';
import { type Field, userPassword } from './field.ts';

const otherAddress = '127.0.0.2';
/** Time limits in milliseconds during and after the flood. */
const patienceMs = { during: 5000, after: 2000 };
const floodSize = 200;

/** Guesses passwords and signs in correctly, all concurrently. Another address must not be locked out. */
export async function attackSignIns(field: Field): Promise<void> {
  const flood = Array.from({ length: floodSize }, (_, each) => sendAttempt(field, each));
  await signInElsewhere(field, patienceMs.during, 'while passwords are guessed');
  const statuses = await Promise.all(flood);
  const refused = statuses.filter((status) => status === 429).length;
  field.check(refused > 0, `None of ${floodSize} sign-ins at once is rejected.`);
  await signInElsewhere(field, patienceMs.after, 'after passwords were guessed');
}

async function sendAttempt(field: Field, each: number): Promise<number> {
  const tries: [name: string, password: string][] = [
    ['admin', `wrong ${each}`],
    ['mallory', userPassword],
    [`nobody-${each}`, 'x'.repeat(1000)],
    ['admin', '€'.repeat(1000)],
  ];
  const [name, password] = tries[each % tries.length] ?? ['', ''];
  const { status, headers } = await field.signIn(name, password);
  field.check(
    ![429, 503].includes(status) || headers['retry-after'] !== undefined,
    `A sign-in is rejected with ${status} and no Retry-After.`,
  );
  return status;
}

async function signInElsewhere(field: Field, patience: number, when: string): Promise<void> {
  const started = performance.now();
  const { status } = await field.signIn('admin', adminPassword, otherAddress);
  const ms = performance.now() - started;
  field.check(status === 200, `admin gets ${status} at another address ${when}.`);
  field.check(
    ms < patience * field.options.patience,
    `admin waits ${ms.toFixed(0)} ms at another address ${when}.`,
  );
}
