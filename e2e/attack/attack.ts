/**
 * `npm run attack`: attacks the built product on loopback, bounded in number and time.
 *
 * Each attack (`attacks.ts`) has its own server on a copy of `contents/`, a scripted model, and a process
 * that polls `/api/health` every 50 ms. All of them check that:
 * - no response is a 5xx, except a 503 with Retry-After (model failures have their own codes, `model-…`);
 * - every response arrives within 10 s, and health checks within 300 ms;
 * - the process survives and leaks no descriptors or memory.
 * Each attack checks its own conditions too. Failures are printed with everything needed to replay them.
 *
 * --short       every attack briefly: a minute in all
 * --patience N  multiplies all time limits, for a busy machine; above 1, attacks on their own servers run in
 * parallel
 * --only NAME   only this attack, or several, comma-separated
 * --seed N      seed of generated input; default: the clock
 * --seconds N   approximate total duration of all attacks but kills
 * --failures F  a file for the failures alone
 * --kills N     number of server kills; 0, or at least 100, so that every kind of write is hit
 *
 * Needs Linux: for `/proc`, and for all of 127.0.0.0/8.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { attacks } from './attacks.ts';
import type { Field, FieldOptions } from './field.ts';
import { killRepeatedly } from './kills.ts';
import { closeField, openField } from './open-field.ts';
import { type Attack, type Outcome, runAttack } from './run-attack.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    patience: { type: 'string', default: '1' },
    only: { type: 'string' },
    seed: { type: 'string' },
    seconds: { type: 'string' },
    kills: { type: 'string' },
    failures: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const kills = Number(values.kills ?? (values.short ? 0 : 600));
if (kills > 0 && kills < 100) {
  throw new Error('--kills takes 0, or 100 and more.');
}
const options: FieldOptions = {
  seed,
  isShort: values.short,
  inputs: values.short ? 400 : 10_000,
  patience: Number(values.patience),
};
const wanted = attacks.filter(({ name }) => isWanted(name)).map(scaleDuration);
if (wanted.length === 0 && !isWanted('kills')) {
  throw new Error(`--only takes ${attacks.map(({ name }) => name).join(', ')} or kills.`);
}

const started = Date.now();
const failures: string[] = [];
console.log(`seed ${seed}`);
const runShared = () => attackTogether(wanted.filter(({ setup }) => !setup));
const alone = () => attackAlone(wanted.filter(({ setup }) => setup));
if (options.patience > 1) {
  // Generous limits do not require an idle machine.
  await Promise.all([runShared(), alone()]);
} else {
  await runShared();
  await alone();
}
if (isWanted('kills') && kills > 0) {
  const failed = await killRepeatedly(kills, seed);
  if (failed) {
    failures.push('kills');
  }
  console.log(`kills: ${kills} kills, ${failed ? 'FAILED' : 'nothing lost'}`);
}
const seconds = Math.round((Date.now() - started) / 1000);
console.log(`\n${failures.length} failures in ${seconds} s (seed ${seed})`);
if (values.failures !== undefined) {
  writeFileSync(values.failures, failures.join('\n'));
}
process.exitCode = failures.length === 0 ? 0 : 1;

function isWanted(name: string): boolean {
  return values.only === undefined || values.only.split(',').includes(name);
}

/** Runs attacks one after another on one server, as long as it survives. */
async function attackTogether(attacks: Attack[]): Promise<void> {
  let field: Field | undefined;
  for (const attack of attacks) {
    field ??= await openField(options);
    if (!(await runAndReport(attack, field))) {
      await closeField(field);
      field = undefined;
    }
  }
  if (field) {
    await closeField(field);
  }
}

/** Runs attacks one after another, each on its own server. */
async function attackAlone(attacks: Attack[]): Promise<void> {
  for (const attack of attacks) {
    const field = await openField(options, attack.setup);
    await runAndReport(attack, field);
    await closeField(field);
  }
}

/** Runs and reports an attack. Returns whether the server can be attacked again. */
async function runAndReport(attack: Attack, field: Field): Promise<boolean> {
  const started = Date.now();
  const outcome = await runAttack(attack, field);
  report(attack.name, outcome, Date.now() - started);
  if (outcome.failures.length > 0) {
    console.log(`  Last server output: ${field.knowhow.lastOutput.slice(-1500)}`);
  }
  return outcome.isAlive;
}

/** Distributes `--seconds` in proportion to the attacks' own durations. */
function scaleDuration(attack: Attack): Attack {
  if (values.seconds === undefined) {
    return attack;
  }
  const all = attacks.filter(({ name }) => isWanted(name));
  const total = all.reduce((sum, { durations: [long] }) => sum + long, 0);
  const milliseconds = (attack.durations[0] / total) * Number(values.seconds) * 1000;
  return { ...attack, durations: [milliseconds, milliseconds] };
}

function report(name: string, outcome: Outcome, milliseconds: number): void {
  const { requests, health, memory, descriptors, failures: failed } = outcome;
  const cells = [
    `${name}: ${requests} requests in ${(milliseconds / 1000).toFixed(0)} s`,
    `worst health ${health.worst.toFixed(0)} ms (99.9 %: ${health.p999.toFixed(0)} ms, with the machine's delays: ${health.raw.toFixed(0)} ms)`,
    `heap ${memory.held.map((mb) => mb.toFixed(0)).join(' → ')} MB`,
    `resident ${memory.resident.map((mb) => mb.toFixed(0)).join(' → ')} MB`,
    `descriptors ${descriptors.join(' → ')}`,
    failed.length === 0 ? 'passed' : `${failed.length} FAILURES`,
  ];
  console.log(cells.join(', '));
  for (const failure of failed.slice(0, 20)) {
    console.log(`  ✗ ${failure}`);
  }
  failures.push(...failed.map((failure) => `${name}: ${failure}`));
}
