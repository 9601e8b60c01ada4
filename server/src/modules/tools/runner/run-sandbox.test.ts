import { expect, test } from 'vitest';
import { defaultRunLimits } from './run-limits.ts';
import { runSandbox } from './run-sandbox.ts';

/** Plays a sandbox whose script succeeded and then packs the work folder. */
function run(pack: string) {
  const text = `echo '{"exit-code": 0}' >&3; echo end >&3; ${pack}`;
  const command = ['sh', '-c', text];
  const input = new Uint8Array();
  return runSandbox(
    { command, input, limits: defaultRunLimits, closed: [] },
    new AbortController().signal,
  );
}

test.each([
  ['before any output', 'kill -KILL $$'],
  ['in the middle', 'tar -cf - -C /usr/lib os-release | head -c 600 >&3'],
])('reports an error if packing the files is killed %s', async (_when, pack) => {
  await expect(run(pack)).rejects.toThrow('The sandbox lost what the script left.');
});

test('accepts an archive without files', async () => {
  const ended = await run('tar -cf - -T /dev/null >&3');
  expect(ended).toMatchObject({ end: 'exit', exitCode: 0, files: [], leftOut: [] });
});
