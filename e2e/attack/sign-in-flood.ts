import { adminPassword } from '../start-knowhow.ts';
import { type Field, userPassword } from './field.ts';

const elsewhere = '127.0.0.2';
/** While the flood is under way, and when it is over. */
const patienceMs = { during: 5000, after: 2000 };
const atOnce = 200;

/** Guesses passwords and signs in rightly, all at once: nobody elsewhere is kept out by it. */
export async function attackSignIns(field: Field): Promise<void> {
  const flood = Array.from({ length: atOnce }, (_, each) => flooding(field, each));
  await signInElsewhere(field, patienceMs.during, 'while passwords are guessed');
  const statuses = await Promise.all(flood);
  const refused = statuses.filter((status) => status === 429).length;
  field.check(refused > 0, `None of ${atOnce} sign-ins at once is refused.`);
  await signInElsewhere(field, patienceMs.after, 'after passwords were guessed');
}

async function flooding(field: Field, each: number): Promise<number> {
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
    `A sign-in is refused with ${status} and no Retry-After.`,
  );
  return status;
}

async function signInElsewhere(field: Field, patience: number, when: string): Promise<void> {
  const started = performance.now();
  const { status } = await field.signIn('admin', adminPassword, elsewhere);
  const ms = performance.now() - started;
  field.check(status === 200, `admin gets ${status} at another address ${when}.`);
  field.check(
    ms < patience * field.options.patience,
    `admin waits ${ms.toFixed(0)} ms at another address ${when}.`,
  );
}
