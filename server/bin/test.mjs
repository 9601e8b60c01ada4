// npm test: everything that has to hold, from an empty checkout; the last line counts.
// `npm run check` (argument "check") stops after the unit and API tests, `npm run e2e` (argument
// "e2e", then any of Playwright's own) runs the browser's alone. The whole run gives a test that
// failed a second try, and names it: a machine that was held up for a moment is no defect.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, build, installMissing, root, run } from './prepare.mjs';

const [part = 'all', ...rest] = process.argv.slice(2);
const secondTries = part === 'all' ? 1 : 0;
const reports = mkdtempSync(join(tmpdir(), 'knowhow-tests-'));
const counts = { passed: 0, failed: 0 };

installMissing();
if (part !== 'e2e') {
  await Promise.all([
    step('Lint and layers', bin('@biomejs/biome', 'biome'), ['ci', '--reporter=summary', '.']),
    step('Types', bin('typescript', 'tsc'), ['-b']),
    step('Dead code', bin('knip', 'knip'), []),
  ]);
  tests('Unit and API tests', countVitest, bin('vitest', 'vitest'), [
    'run',
    `--retry=${secondTries}`,
    '--reporter=dot',
    '--reporter=./server/bin/tell-second-tries.mjs',
    '--reporter=json',
    `--outputFile.json=${join(reports, 'unit.json')}`,
  ]);
}
if (part !== 'check') {
  title('Build');
  build();
  count(true);
  tests('Browser tests', countPlaywright, bin('@playwright/test', 'playwright'), [
    'test',
    '--config=e2e',
    `--retries=${secondTries}`,
    '--reporter=line,json',
    ...rest,
  ]);
}
if (part === 'all' && process.platform === 'linux') {
  attack();
}
rmSync(reports, { recursive: true });
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** Runs beside others, and tells all it has to say at its end. */
function step(name, program, args) {
  return new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: Number.POSITIVE_INFINITY };
    execFile(process.execPath, [program, ...args], options, (error, output, errors) => {
      title(name);
      process.stdout.write(output + errors);
      count(error === null);
      resolve();
    });
  });
}

/** The short attack, with time limits that a machine with other work on it can keep; twice if need be. */
function attack() {
  title('Attack, in short');
  const seed = String(Date.now() % 2 ** 31);
  const short = ['e2e/dist/attack/attack.js', '--short', '--patience', '3', '--seed', seed];
  count([1, 2].some(() => run(process.execPath, short) === 0));
}

/** Counts single tests; a run that fails without a failed test is a failure of its own. */
function tests(name, countReport, program, args) {
  title(name);
  const failedBefore = counts.failed;
  const passedBefore = counts.passed;
  const environment = { PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'browser.json') };
  const code = run(process.execPath, [program, ...args], environment);
  try {
    countReport();
  } catch (error) {
    process.stderr.write(`No report of ${name}: ${error.message}\n`);
  }
  const ranNothing = counts.passed === passedBefore;
  if ((code !== 0 || ranNothing) && counts.failed === failedBefore) {
    counts.failed += 1;
  }
}

function countVitest() {
  const { numPassedTests, numFailedTests } = report('unit.json');
  counts.passed += numPassedTests;
  counts.failed += numFailedTests;
}

function countPlaywright() {
  const { expected, unexpected, flaky } = report('browser.json').stats;
  counts.passed += expected + flaky;
  counts.failed += unexpected;
}

function report(name) {
  return JSON.parse(readFileSync(join(reports, name), 'utf8'));
}

function count(passed) {
  counts[passed ? 'passed' : 'failed'] += 1;
}

function title(name) {
  process.stdout.write(`\n▸ ${name}\n`);
}
