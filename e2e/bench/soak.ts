/**
 * `npm run soak [-- --minutes 10]`: checks that Knowhow's memory and descriptors stay flat under a mixed load
 * (`soak-load.ts`), i.e. that nothing leaks. The built product runs on a copy of `contents/`. Rate limits are
 * off, because all load comes from one address. Collects garbage and measures memory twenty times. The first
 * third is warm-up; of the rest, the median of the second half is compared with that of the first. Exits with
 * 1 if a figure has grown beyond its bound, or an answer was wrong. Needs Linux for `/proc`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addScriptedModel, startKnowhow, switchRateLimitsOff } from '../start-knowhow.ts';
import { heldMemoryArgs, measureHeapMb } from './held-memory.ts';
import { countDescriptors, getCpuMs, getResidentMb } from './process-cost.ts';
import { startLoad } from './soak-load.ts';
import { startHelper } from './stand.ts';
import { median } from './statistics.ts';

/** The figures, and the growth that still counts as flat: a share, or at least this much. */
const figures = {
  held: { name: 'held MB', share: 0.1, atLeast: 5 },
  resident: { name: 'resident MB', share: 0.2, atLeast: 30 },
  descriptors: { name: 'descriptors', share: 0.05, atLeast: 30 },
};
type Sample = Record<keyof typeof figures, number>;

const rows = 20;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const rowMs = (Number(values.minutes) * 60_000) / rows;
if (!(rowMs > 0)) {
  throw new Error('--minutes must be a number above 0.');
}
const provider = await startHelper('./stamping-provider.js');
const knowhow = await startKnowhow({
  prepare: async (contentsDir) => {
    await addScriptedModel(contentsDir, provider.url);
    await switchRateLimitsOff(contentsDir);
  },
  nodeArgs: heldMemoryArgs,
});
const load = await startLoad(knowhow.url);
const samples: Sample[] = [];
try {
  const names = Object.values(figures).map(({ name }) => name);
  print(['minute', ...names, 'processor %', 'answers', 'admin writes', 'wrong']);
  for (let row = 1; row <= rows; row += 1) {
    const cpuBefore = await getCpuMs(knowhow.pid);
    await wait(rowMs);
    const cpu = ((await getCpuMs(knowhow.pid)) - cpuBefore) / rowMs;
    const sample = await takeSample(knowhow.pid);
    samples.push(sample);
    const { answers, writes, wrong } = load.counts;
    const minute = ((row * rowMs) / 60_000).toFixed(1);
    const measured = Object.values(sample).map((value) => value.toFixed(0));
    print([minute, ...measured, (cpu * 100).toFixed(0), answers, writes, wrong.length]);
  }
} finally {
  await load.stop();
  await knowhow.end('SIGTERM');
  await knowhow.dispose();
  provider.child.disconnect();
}
process.exitCode = isFlat() && load.counts.wrong.length === 0 ? 0 : 1;

async function takeSample(pid: number): Promise<Sample> {
  return {
    held: await measureHeapMb(pid),
    resident: await getResidentMb(pid),
    descriptors: await countDescriptors(pid),
  };
}

function isFlat(): boolean {
  const warm = samples.slice(Math.floor(rows / 3));
  const middle = Math.floor(warm.length / 2);
  console.log('');
  let flat = true;
  for (const [figure, { name, share, atLeast }] of Object.entries(figures)) {
    const of = (some: Sample[]) => median(some.map((sample) => sample[figure as keyof Sample]));
    const [before, after] = [of(warm.slice(0, middle)), of(warm.slice(middle))];
    const max = before + Math.max(before * share, atLeast);
    const verdict = after <= max ? 'flat' : 'GROWN';
    print([name, before.toFixed(0), 'then', after.toFixed(0), `≤ ${max.toFixed(0)}`, verdict]);
    flat &&= after <= max;
  }
  for (const what of load.counts.wrong.slice(0, 20)) {
    console.log(`wrong: ${what}`);
  }
  return flat;
}

function print(cells: (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(12)).join(' '));
}
