import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bundledScript } from '../../../testing/bundled-script.ts';
import { runChild } from '../../../testing/run-child.ts';
import { sandbox } from '../../../testing/sandbox.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

const running = () => execFileSync('ps', ['-eo', 'args']).toString().includes('sleep 100.5625');

test.runIf(sandbox)('kills the script when the server is killed', async () => {
  const script = await bundledScript('endless-script');
  const child = runChild(script, { args: [], env: {}, cwd: await temporaryFolder() });
  await waitFor(running);
  child.process.kill('SIGKILL');
  await child.ended;
  await waitFor(() => !running());
  expect(running()).toBe(false);
});
