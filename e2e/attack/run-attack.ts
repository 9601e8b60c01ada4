import { setTimeout as wait } from 'node:timers/promises';
import { measureHeapMb } from '../bench/held-memory.ts';
import { countDescriptors, getPeakMb, getResidentMb, resetPeak } from '../bench/process-cost.ts';
import { isReady } from '../start-knowhow.ts';
import { AttackOver, type Field } from './field.ts';
import { type Health, watchHealth } from './watch-health.ts';

export interface Attack {
  name: string;
  /** Has its own server; other attacks share one without rate limits. */
  setup?: ServerSetup;
  /** Duration in milliseconds: long form, short form. */
  durations: [long: number, short: number];
  /** Maximum growth of resident memory, in MB. */
  maxGrowthMb?: number;
  run(field: Field): Promise<void>;
}

/** With rate limits, without, or without them and with a hostile remote runner. */
export type ServerSetup = 'with-limits' | 'without-limits' | 'with-runner';

export interface Outcome {
  requests: number;
  /** Whether the server can be attacked again. */
  isAlive: boolean;
  health: Health;
  /** Megabytes in use after garbage collection, and megabytes resident. */
  memory: {
    held: [before: number, after: number];
    resident: [before: number, peak: number, after: number];
  };
  descriptors: [before: number, after: number];
  failures: string[];
}

/** Limits during and after every attack. */
const maxHealthMs = 300;
const maxHeapGrowthMb = 100;
const maxDescriptorGrowth = 10;
/** For connections to close, file reads to finish, and abandoned answers to end. */
const settlesWithinMs = 15_000;
/** Beyond the duration of an attack. */
const graceMs = 30_000;

interface ResourceUsage {
  held: number;
  resident: number;
  descriptors: number;
}

/** Attacks a server and reports the outcome. */
export async function runAttack(attack: Attack, field: Field): Promise<Outcome> {
  const before = await measureUsage(field);
  await resetPeak(field.knowhow.pid);
  const watch = await watchHealth(field.knowhow);
  const [long, short] = attack.durations;
  const lasts = field.options.isShort ? short : long;
  field.begin(lasts);
  try {
    await withTimeout(lasts + graceMs, attack.run(field));
  } catch (error) {
    field.fail(error instanceof AttackOver ? error.message : `It failed: ${formatStack(error)}`);
  }
  const { requests } = field;
  field.closeConnections();
  const isAlive = await recovers(field);
  const health = await watch.read();
  watch.stop();
  const peak = isAlive ? await getPeakMb(field.knowhow.pid) : before.resident;
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

async function measureUsage({ knowhow: { pid } }: Field): Promise<ResourceUsage> {
  return {
    held: await measureHeapMb(pid),
    resident: await getResidentMb(pid),
    descriptors: await countDescriptors(pid),
  };
}

/** Whether the server still runs and responds within a moment. */
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

async function settle(field: Field, before: ResourceUsage): Promise<ResourceUsage> {
  const deadline = Date.now() + settlesWithinMs;
  let figures = await measureUsage(field);
  while (!isSettled(figures, before) && Date.now() < deadline) {
    await wait(200);
    figures = await measureUsage(field);
  }
  return figures;
}

function isSettled(figures: ResourceUsage, before: ResourceUsage): boolean {
  return (
    figures.descriptors <= before.descriptors + maxDescriptorGrowth &&
    figures.held <= before.held + maxHeapGrowthMb
  );
}

function judge(
  field: Field,
  { health, before, after }: { health: Health; before: ResourceUsage; after: ResourceUsage },
): void {
  const { knowhow } = field;
  if (!knowhow.isRunning) {
    field.fail('The server has ended.');
    return;
  }
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const maxMs = maxHealthMs * field.options.patience;
  field.check(
    health.worst <= maxMs,
    `/api/health took ${ms(health.worst)}, more than ${ms(maxMs)}.`,
  );
  field.check(health.failed === 0, `/api/health failed ${health.failed} of ${health.asked} times.`);
  field.check(
    after.descriptors <= before.descriptors + maxDescriptorGrowth,
    `Descriptors: ${before.descriptors} before, ${after.descriptors} after.`,
  );
  field.check(
    after.held <= before.held + maxHeapGrowthMb,
    `Memory held: ${before.held.toFixed(0)} MB before, ${after.held.toFixed(0)} MB after.`,
  );
}

async function withTimeout(milliseconds: number, work: Promise<void>): Promise<void> {
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

function formatStack(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
