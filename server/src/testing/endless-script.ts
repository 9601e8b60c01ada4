import { findRunner } from '../runner/find-runner.ts';
import type { RunLimits } from '../runner/run-limits.ts';

/** A process that runs a script which does not end; what runs it is its argument, bubblewrap without one. */
type Wanted = Parameters<typeof findRunner>[0] & { limits?: Partial<RunLimits> };
const { limits = {}, ...wanted }: Wanted = JSON.parse(process.argv[2] ?? '{"wanted":"bubblewrap"}');
const { runner } = await findRunner(wanted);
// So that what runs in a trial is not taken for it.
process.stdout.write('ready');
await runner?.run(
  {
    ...{ kind: 'sh', script: 'scripts/wait.sh', args: [], limits },
    skill: {
      id: 'endless',
      files: [{ path: 'scripts/wait.sh', bytes: Buffer.from('sleep 100.5625\n') }],
    },
  },
  new AbortController().signal,
);
