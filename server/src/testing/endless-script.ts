import { findRunner } from '../modules/tools/runner/find-runner.ts';
import type { RunLimits } from '../modules/tools/runner/run-limits.ts';

/** Runs a script that never ends, with the runner given as argument (default: bubblewrap). */
type Wanted = Parameters<typeof findRunner>[0] & { limits?: Partial<RunLimits> };
const { limits = {}, ...wanted }: Wanted = JSON.parse(process.argv[2] ?? '{"wanted":"bubblewrap"}');
const { runner } = await findRunner(wanted);
// Printed after the runner's probe, to tell both apart.
process.stdout.write('ready');
await runner?.run(
  {
    kind: 'sh',
    script: 'scripts/wait.sh',
    args: [],
    limits,
    skill: {
      id: 'endless',
      files: [{ path: 'scripts/wait.sh', bytes: Buffer.from('sleep 100.5625\n') }],
    },
  },
  new AbortController().signal,
);
