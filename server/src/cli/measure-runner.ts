import { spawnSync } from 'node:child_process';
import type { Runner } from '../runner/runner.ts';
import type { Terminal } from './terminal.ts';

const rounds = 40;
const text = 'exit 0\n';

/** What a run costs beside what the script does: against the same script started by itself. */
export async function measureRunner(runner: Runner, terminal: Terminal): Promise<void> {
  const script = 'scripts/nothing.sh';
  const job = {
    ...{ kind: 'sh' as const, script, args: [] },
    skill: { id: 'nothing', files: [{ path: script, bytes: Buffer.from(text) }] },
  };
  const kept: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    kept.push(await timed(() => runner.run(job, new AbortController().signal)));
    bare.push(await timed(async () => spawnSync('sh', ['-c', text])));
  }
  const [one, other] = [median(kept), median(bare)];
  terminal.out(
    `A script that does nothing: ${one.toFixed(1)} ms by ${runner.tier}, ${other.toFixed(1)} ms by itself; ${(one - other).toFixed(1)} ms are added (at most 40).`,
  );
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
