/**
 * `npm run soak [-- --minutes 10]`: whether Knowhow's memory and descriptors stay flat under a mixed
 * load. The built product runs on a copy of `contents/`, with rate limits off, for all the load comes
 * from one address (`soak-load.ts` says what it does). The first third is for warming up. Of the rest,
 * the least of the first half is compared with the least of the second: what is still held when the
 * collector has run. Ends with 1 when either has grown beyond its bound, or when an answer was wrong.
 * Needs Linux for `/proc`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addScriptedModel, startKnowhow } from '../start-knowhow.ts';
import { cpuMsOf, descriptorsOf, residentMbOf } from './process-cost.ts';
import { startLoad } from './soak-load.ts';
import { startHelper, switchRateLimitsOff } from './stand.ts';

/** Growth that is still flat: of memory, a share and megabytes; of descriptors, a number. */
const bounds = { share: 0.1, megabytes: 20, descriptors: 50 };
const rows = 20;
const sampleMs = 1000;

interface Sample {
  memory: number;
  descriptors: number;
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const totalMs = Number(values.minutes) * 60_000;
if (!(totalMs > 0)) {
  throw new Error('--minutes takes a number above 0.');
}
const provider = await startHelper('./stamping-provider.js');
const knowhow = await startKnowhow({
  prepare: async (contentsDir) => {
    await addScriptedModel(contentsDir, provider.url);
    await switchRateLimitsOff(contentsDir);
  },
});
const load = await startLoad(knowhow.url);
const samples: Sample[] = [];
try {
  print(['minute', 'memory MB', 'descriptors', 'processor %', 'answers', 'admin writes', 'wrong']);
  for (let row = 1; row <= rows; row += 1) {
    const cpuBefore = await cpuMsOf(knowhow.pid);
    const last = await sampleFor(totalMs / rows);
    const cpu = ((await cpuMsOf(knowhow.pid)) - cpuBefore) / (totalMs / rows);
    const { answers, writes, wrong } = load.counts;
    const minute = (row * totalMs) / rows / 60_000;
    const figures = [
      minute.toFixed(1),
      last.memory.toFixed(0),
      last.descriptors,
      (cpu * 100).toFixed(0),
    ];
    print([...figures, answers, writes, wrong.length]);
  }
} finally {
  await load.stop();
  await knowhow.end('SIGTERM');
  await knowhow.dispose();
  provider.child.disconnect();
}
process.exitCode = judge() ? 0 : 1;

/** Takes samples for a while, and gives the last. */
async function sampleFor(ms: number): Promise<Sample> {
  const end = performance.now() + ms;
  for (;;) {
    await wait(Math.min(sampleMs, Math.max(0, end - performance.now())));
    const { pid } = knowhow;
    const [memory, descriptors] = await Promise.all([residentMbOf(pid), descriptorsOf(pid)]);
    samples.push({ memory, descriptors });
    if (performance.now() >= end) {
      return { memory, descriptors };
    }
  }
}

function judge(): boolean {
  const warm = samples.slice(Math.floor(samples.length / 3));
  const middle = Math.floor(warm.length / 2);
  const least = (figure: keyof Sample, from: number, to: number) =>
    Math.min(...warm.slice(from, to).map((sample) => sample[figure]));
  const grown = (figure: keyof Sample) => ({
    before: least(figure, 0, middle),
    after: least(figure, middle, warm.length),
  });
  const memory = grown('memory');
  const descriptors = grown('descriptors');
  const most = memory.before + Math.max(bounds.megabytes, memory.before * bounds.share);
  console.log(
    [
      '',
      `memory       ${memory.before.toFixed(0)} MB, then ${memory.after.toFixed(0)} MB; at most ${most.toFixed(0)}`,
      `descriptors  ${descriptors.before}, then ${descriptors.after}; at most ${descriptors.before + bounds.descriptors}`,
      ...load.counts.wrong.slice(0, 20).map((what) => `wrong        ${what}`),
    ].join('\n'),
  );
  return (
    memory.after <= most &&
    descriptors.after <= descriptors.before + bounds.descriptors &&
    load.counts.wrong.length === 0
  );
}

function print(cells: (string | number)[]): void {
  console.log(cells.map((cell) => String(cell).padStart(12)).join(' '));
}
