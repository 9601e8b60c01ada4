import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  attackedHost,
  callsText,
  kernelCalls,
  pythonAttempts,
  shellAttempts,
  unprivilegedCalls,
} from '../../../testing/escape-attempts.ts';
import { hasPython, runText, runUnguarded, sandbox } from '../../../testing/sandbox.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

describe.runIf(sandbox)('a script cannot reach', () => {
  test.each(shellAttempts)('%s', async (_title, kind, text) => {
    const { fill } = await attackedHost();
    const { stdout, end } = await runText(kind, fill(text));
    expect([end, stdout]).toEqual(['exit', expect.stringMatching(/^(?!.*escaped).*held/s)]);
  });

  test.runIf(hasPython).each(pythonAttempts)('%s', async (_title, kind, text) => {
    const { fill } = await attackedHost();
    const { stdout, end, stderr } = await runText(kind, fill(text));
    expect([end, stdout, stderr]).toEqual([
      'exit',
      expect.stringMatching(/^(?!.*escaped).*held/s),
      '',
    ]);
  });

  test.runIf(hasPython)('system calls that reach beyond its own processes', async () => {
    const { stdout, stderr } = await runText('python', callsText(kernelCalls));
    expect(stdout.trim().split('\n')).toEqual(kernelCalls.map(([name]) => `${name} held`));
    expect(stderr).toBe('');
  });

  test('anything outside the sandbox from Node', async () => {
    const { fill } = await attackedHost();
    const text = fill(`
      const fs = require('node:fs');
      for (const path of ['@/secret', '/etc/shadow', '/root', '/home'])
        try { if (fs.statSync(path).isDirectory() ? fs.readdirSync(path) : String(fs.readFileSync(path))) console.log('escaped', path); } catch {}
      console.log(Object.keys(process.env).sort().join());
      fetch('http://127.0.0.1:@PORT').then(() => console.log('escaped'), () => console.log('held'));`);
    const { stdout } = await runText('node', text);
    expect(stdout).toBe('HOME,LANG,PATH,PWD,PYTHONDONTWRITEBYTECODE,SKILL_DIR,TMPDIR\nheld\n');
  });
});

/** Control group: attempts that only the sandbox stops, whichever user runs the tests. */
const getThrough = [...shellAttempts, ...pythonAttempts].filter(
  ([title]) => !/root by|raw|device|settings|namespace of its own|outside the work/.test(title),
);

test.runIf(hasPython).each(getThrough)(
  'without a sandbox, a script reaches %s',
  async (_title, kind, text) => {
    const { folder, fill } = await attackedHost();
    const without = runUnguarded(kind, fill(text), join(folder));
    expect(without).toContain('escaped');
  },
);

test.runIf(sandbox && hasPython)('without a filter, a script makes system calls', async () => {
  const folder = await temporaryFolder();
  const said = runUnguarded('python', callsText(unprivilegedCalls), folder);
  expect(said.trim().split('\n')).toEqual(unprivilegedCalls.map(([name]) => `${name} escaped`));
});
