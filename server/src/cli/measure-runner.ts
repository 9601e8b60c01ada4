import { spawnSync } from 'node:child_process';
import type { Runner } from '../modules/tools/runner/runner.ts';
import type { Terminal } from './terminal.ts';

const rounds = 40;
const text = 'exit 0\n';

/** Measures the overhead of the runner, compared with running the same script directly. */
export async function measureRunner(runner: Runner, terminal: Terminal): Promise<void> {
  const script = 'scripts/nothing.sh';
  const job = {
    ...{ kind: 'sh' as const, script, args: [] },
    skill: { id: 'nothing', files: [{ path: script, bytes: Buffer.from(text) }] },
  };
  const inRunner: number[] = [];
  const direct: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    inRunner.push(await timed(() => runner.run(job, new AbortController().signal)));
    direct.push(await timed(async () => spawnSync('sh', ['-c', text])));
  }
  const [one, other] = [median(inRunner), median(direct)];
  terminal.out(
    `A script that does nothing: ${one.toFixed(1)} ms by ${runner.tier}, ${other.toFixed(1)} ms by itself; ${(one - other).toFixed(1)} ms are added (at most 40).`,
  );
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
