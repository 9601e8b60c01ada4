import { errorCode } from './error-code.ts';
import { getErrorMessage } from './get-error-message.ts';
import type { ProcessAnswer, ProcessTask } from './run-process.ts';
import { runWorker } from './run-worker.ts';

// The main thread of a child process that runs one worker: see `run-process.ts`. It does nothing else, so it
// can stop the worker at a limit, and end when the server has gone.
process.once('disconnect', () => process.exit());
process.once('message', ({ address, data, limits }: ProcessTask) => {
  runWorker(new URL(address), { data, transferList: [], ...limits })
    .then(
      (answer): ProcessAnswer => ({ answer }),
      (error): ProcessAnswer => ({ failed: getErrorMessage(error), code: errorCode(error.cause) }),
    )
    .then((answer) => process.send?.(answer))
    .catch(() => process.exit(1));
});
