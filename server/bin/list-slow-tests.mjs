// npm run slow-tests: runs the unit and API tests and lists those slower than `limit` in `slow-tests.json`.
// `npm run check` skips them. Run it on an otherwise idle machine.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { bin, root, run } from './prepare.mjs';

/** In milliseconds. Keeps all of `npm run check` under 90 s on two cores. */
const limit = 1000;

const folder = mkdtempSync(join(tmpdir(), 'knowhow-slow-'));
const report = join(folder, 'report.json');
const projects = ['--project=server', '--project=client'];
const args = [
  'run',
  ...projects,
  '--reporter=dot',
  '--reporter=json',
  `--outputFile.json=${report}`,
];
process.exitCode = run(process.execPath, [bin('vitest', 'vitest'), ...args]);
const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
rmSync(folder, { recursive: true });
const slow = testResults
  .filter(({ startTime, endTime }) => endTime - startTime > limit)
  .map(({ name }) => relative(root, name).split(sep).join('/'))
  .sort();
writeFileSync(join(root, 'slow-tests.json'), `${JSON.stringify(slow, null, 2)}\n`);
