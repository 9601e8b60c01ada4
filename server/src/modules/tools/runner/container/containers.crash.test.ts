import { describe, expect, onTestFinished, test } from 'vitest';
import { bundledScript } from '../../../../testing/bundled-script.ts';
import {
  containers,
  engine,
  images,
  listContainerStates,
} from '../../../../testing/container-engine.ts';
import { runChild } from '../../../../testing/run-child.ts';
import { waitFor } from '../../../../testing/wait-for.ts';
import { temporaryFolder } from '../../../../testing/write-files.ts';
import { createContainerRunner } from './container-runner.ts';

/** Kills a server process while its script is running. */
async function killWhileRunning(owner: string, seconds: number) {
  onTestFinished(() => startAgain(owner));
  const script = await bundledScript('endless-script');
  const wanted = { wanted: 'container', owner, container: { engine, images }, limits: { seconds } };
  const args = [JSON.stringify(wanted)];
  const child = runChild(script, { args, env: {}, cwd: await temporaryFolder() });
  const isRunning = async () => (await listContainerStates(owner)).includes('running');
  await waitFor(async () => child.output.includes('ready') && (await isRunning()));
  child.process.kill('SIGKILL');
  await child.ended;
  expect(await isRunning()).toBe(true);
  return isRunning;
}

async function startAgain(owner: string): Promise<void> {
  const again = engine && createContainerRunner({ engine, images: {}, owner });
  await again?.look();
  again?.close();
}

describe.runIf(containers)('the container of a killed server', () => {
  test('is removed when the server restarts', async () => {
    await killWhileRunning('started-again', 60);
    await startAgain('started-again');
    expect(await listContainerStates('started-again')).toEqual([]);
  });

  test('ends automatically if the server does not restart', async () => {
    const isRunning = await killWhileRunning('gone-for-good', 2);
    await waitFor(async () => !(await isRunning()));
  });
});
