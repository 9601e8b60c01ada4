import { findRunner } from '../runner/find-runner.ts';

/** A process that runs a script which does not end. */
const { runner } = await findRunner({ wanted: 'bubblewrap' });
await runner?.run(
  {
    ...{ kind: 'sh', script: 'scripts/wait.sh', args: [] },
    skill: {
      id: 'endless',
      files: [{ path: 'scripts/wait.sh', bytes: Buffer.from('sleep 100.5625\n') }],
    },
  },
  new AbortController().signal,
);
