import { setTimeout as wait } from 'node:timers/promises';
import { heldMbOf } from '../bench/held-memory.ts';
import { descriptorsOf, peakMbOf, resetPeak, residentMbOf } from '../bench/process-cost.ts';
import { isReady } from '../start-knowhow.ts';
import { AttackOver, type Field } from './field.ts';
import { type Health, watchHealth } from './watch-health.ts';

export interface Attack {
  name: string;
  /** Has a server of its own; else several have one, without rate limits. */
  alone?: Alone;
  /** Milliseconds after which it ends by itself: in the long form, in the short form. */
  lasts: [long: number, short: number];
  /** By how many MB the server may grow meanwhile, resident. */
  maxGrowthMb?: number;
  run(field: Field): Promise<void>;
}

/** With rate limits, without, or without them and with a hostile remote runner. */
export type Alone = 'with-limits' | 'without-limits' | 'with-runner';

export interface Outcome {
  requests: number;
  /** The server can be attacked again. */
  isAlive: boolean;
  health: Health;
  /** Megabytes that the server holds when all garbage is collected, and megabytes resident. */
  memory: {
    held: [before: number, after: number];
    resident: [before: number, peak: number, after: number];
  };
  descriptors: [before: number, after: number];
  failures: string[];
}

/** What must hold of a server throughout and afterwards. */
const mostHealthMs = 300;
const mostHeldMb = 100;
const mostDescriptors = 10;
/** For connections that were left to be closed, files that were being read, and answers nobody reads. */
const settlesWithinMs = 15_000;
/** Beyond the time after which an attack ends by itself. */
const graceMs = 30_000;

interface Figures {
  held: number;
  resident: number;
  descriptors: number;
}

/** Attacks a server and reports what it did. */
export async function runAttack(attack: Attack, field: Field): Promise<Outcome> {
  const before = await takeFigures(field);
  await resetPeak(field.knowhow.pid);
  const watch = await watchHealth(field.knowhow);
  const [long, short] = attack.lasts;
  const lasts = field.options.isShort ? short : long;
  field.begin(lasts);
  try {
    await endsWithin(lasts + graceMs, attack.run(field));
  } catch (error) {
    field.fail(error instanceof AttackOver ? error.message : `It broke off: ${stackOf(error)}`);
  }
  const { requests } = field;
  field.leave();
  const isAlive = await recovers(field);
  const health = await watch.read();
  watch.stop();
  const peak = isAlive ? await peakMbOf(field.knowhow.pid) : before.resident;
  const after = isAlive ? await settle(field, before) : before;
  judge(field, { health, before, after });
  const { maxGrowthMb = Number.POSITIVE_INFINITY } = attack;
  const growth = peak - before.resident;
  field.check(
    growth <= maxGrowthMb,
    `Memory resident grew by ${growth.toFixed(0)} MB, more than ${maxGrowthMb} MB.`,
  );
  return {
    requests,
    isAlive,
    health,
    memory: { held: [before.held, after.held], resident: [before.resident, peak, after.resident] },
    descriptors: [before.descriptors, after.descriptors],
    failures: [...field.failures],
  };
}

async function takeFigures({ knowhow: { pid } }: Field): Promise<Figures> {
  return {
    held: await heldMbOf(pid),
    resident: await residentMbOf(pid),
    descriptors: await descriptorsOf(pid),
  };
}

/** Whether the server still runs and, given a moment, serves. */
async function recovers({ knowhow }: Field): Promise<boolean> {
  const deadline = Date.now() + settlesWithinMs;
  while (knowhow.isRunning && Date.now() < deadline) {
    if (await isReady(knowhow.url)) {
      return true;
    }
    await wait(50);
  }
  return false;
}

async function settle(field: Field, before: Figures): Promise<Figures> {
  const deadline = Date.now() + settlesWithinMs;
  let figures = await takeFigures(field);
  while (!isSettled(figures, before) && Date.now() < deadline) {
    await wait(200);
    figures = await takeFigures(field);
  }
  return figures;
}

function isSettled(figures: Figures, before: Figures): boolean {
  return (
    figures.descriptors <= before.descriptors + mostDescriptors &&
    figures.held <= before.held + mostHeldMb
  );
}

function judge(
  field: Field,
  { health, before, after }: { health: Health; before: Figures; after: Figures },
): void {
  const { knowhow } = field;
  if (!knowhow.isRunning) {
    field.fail('The server has ended.');
    return;
  }
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const most = mostHealthMs * field.options.patience;
  field.check(health.worst <= most, `/api/health took ${ms(health.worst)}, more than ${ms(most)}.`);
  field.check(health.failed === 0, `/api/health failed ${health.failed} of ${health.asked} times.`);
  field.check(
    after.descriptors <= before.descriptors + mostDescriptors,
    `Descriptors: ${before.descriptors} before, ${after.descriptors} after.`,
  );
  field.check(
    after.held <= before.held + mostHeldMb,
    `Memory held: ${before.held.toFixed(0)} MB before, ${after.held.toFixed(0)} MB after.`,
  );
}

async function endsWithin(milliseconds: number, work: Promise<void>): Promise<void> {
  const late = new AbortController();
  const timer = wait(milliseconds, undefined, { signal: late.signal }).then(
    () => {
      throw new Error(`It did not end within ${milliseconds / 1000} s.`);
    },
    () => undefined,
  );
  try {
    await Promise.race([work, timer]);
  } finally {
    late.abort();
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
