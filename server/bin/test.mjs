// npm test: everything that has to hold, from an empty checkout; the last line counts.
// `npm run check` (argument "check") runs the unit and API tests that kill nothing, measure nothing and
// are quick, with the same random values at each run; `npm run e2e` (argument "e2e", then any of Playwright's
// own) runs the browser's alone; `npm test -- --database=postgres` runs all of the server's on PostgreSQL. The whole run gives a test that failed a second try, and names it: a
// machine that was held up for a moment is no defect.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { bin, installMissing, root, run } from './prepare.mjs';

const [part = 'all', ...rest] = process.argv.slice(2);
const onPostgres = '--database=postgres';

const secondTries = part === 'all' ? 1 : 0;
const reports = mkdtempSync(join(tmpdir(), 'knowhow-tests-'));
/** A log has no colours, and lines that stay. */
const isLog = Boolean(process.env.CI);
if (isLog) {
  process.env.NO_COLOR = '1';
  delete process.env.FORCE_COLOR;
}
/** What these are, and which few files are left out of them: `vitest.config.ts`. */
const quick = ['--project=server', '--project=client'];
let passed = 0;
/** Each with its name and first lines, printed again at the end: else they are thousands of lines above it. */
const failures = [];
/** Lines printed again for one failure, and characters of each. */
const maxLines = 12;
const maxLineLength = 300;

installMissing();
if (part === onPostgres) {
  postgresTests();
  end();
  process.exit();
}
const building =
  part === 'check' ? undefined : step('Build', join(root, 'server/bin/build.mjs'), []);
// Beside the tests, if it takes longer than what they wait for: it keeps one processor busy.
const types = part === 'e2e' ? undefined : checkTypes();
if (part !== 'e2e') {
  await Promise.all([
    building,
    step('Lint and layers', bin('@biomejs/biome', 'biome'), [
      ...['ci', '--reporter=summary', '.'],
      ...(isLog ? ['--colors=off'] : []),
    ]),
    step('Promises', bin('oxlint', 'oxlint'), ['--type-aware', '.']),
    step('Dead code', bin('knip', 'knip'), []),
  ]);
  unitTests('Unit and API tests', part === 'check' ? quick : ['--project=!thorough']);
}
await types;
const isBuilt = await building;
if (isBuilt) {
  browserTests();
}
if (part === 'all') {
  // By itself: what floods a server or a disk leaves no time for the passwords of others.
  thoroughTests();
}
if (part === 'all' && isBuilt && process.platform === 'linux') {
  attack();
}
end();

/** The last line counts. */
function end() {
  rmSync(reports, { recursive: true });
  process.stdout.write(failures.map(describeFailure).join(''));
  process.stdout.write(`\n${passed} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

function describeFailure({ name, output }) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const first = lines.slice(0, maxLines).map((line) => `  ${line.slice(0, maxLineLength)}\n`);
  return `\nFailed: ${name}\n${first.join('')}`;
}

/**
 * A checker for each processor would check much again that another has: twice the work in all. To look for
 * garbage takes a quarter of the time, and saves half a gigabyte of three.
 */
function checkTypes() {
  const environment = totalmem() > 7e9 ? { GOGC: 'off' } : {};
  return step('Types', bin('typescript', 'tsc'), ['-b', '--checkers', '1'], environment);
}

/** Runs beside others, and prints all its output at its end. Gives whether it succeeded. */
function step(name, program, args, environment = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const options = { cwd: root, env, maxBuffer: Number.POSITIVE_INFINITY };
    execFile(process.execPath, [program, ...args], options, (error, output, errors) => {
      title(name);
      process.stdout.write(output + errors);
      count(name, error === null, output + errors);
      resolve(error === null);
    });
  });
}

/**
 * The short attack; twice if need be. Its time limits find what freezes, on any machine: threads that hash passwords
 * have a low priority, and other work on the machine slows them down many times. `npm run attack` has the real limits.
 */
function attack() {
  const name = 'Attack, in short';
  title(name);
  const seed = String(Date.now() % 2 ** 31);
  const failed = join(reports, 'attack.txt');
  const short = ['e2e/dist/attack/attack.js', '--short', '--patience', '10', '--seed', seed];
  const hasPassed = [1, 2].some(
    () => run(process.execPath, [...short, '--failures', failed]) === 0,
  );
  count(name, hasPassed, existsSync(failed) ? readFileSync(failed, 'utf8') : '');
}

/** What kills processes and breaks disks, and what asks for much at once. */
function thoroughTests() {
  return unitTests('Crash and soak tests', ['--project=thorough']);
}

/** All tests of the server, on PostgreSQL. */
function postgresTests() {
  process.env.POSTGRES = 'all';
  return unitTests('Tests of the server on PostgreSQL', ['--project=postgres']);
}

function unitTests(name, args) {
  const file = join(reports, `${name}.json`);
  const all = [
    'run',
    ...args,
    `--retry=${secondTries}`,
    `--reporter=${isLog ? 'default' : 'dot'}`,
    '--reporter=./server/bin/name-second-tries.mjs',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  return tests(name, bin('vitest', 'vitest'), all, {
    environment: part === 'check' ? { SEED: '1', QUICK: '1' } : {},
    readCounts: () => {
      const { numPassedTests, testResults } = readJson(file);
      return { passed: numPassedTests, failed: testResults.flatMap(failedIn) };
    },
  });
}

function browserTests() {
  const file = join(reports, 'browser.json');
  const reporters = `--reporter=${isLog ? 'list' : 'line'},json`;
  const args = ['test', '--config=e2e', `--retries=${secondTries}`, reporters, ...rest];
  return tests('Browser tests', bin('@playwright/test', 'playwright'), args, {
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    readCounts: () => {
      const { stats, suites } = readJson(file);
      return { passed: stats.expected + stats.flaky, failed: suites.flatMap(failedSpecs) };
    },
  });
}

/** The names of the tests that failed, of a file in Vitest's report. */
function failedIn({ name, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      name: `${name} > ${fullName}`,
      output: failureMessages.join('\n'),
    }));
}

/** The same of a file, and of its groups, in Playwright's report. */
function failedSpecs({ specs, suites = [] }) {
  const failed = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests: tried }) => {
      const errors = tried.flatMap(({ results }) => results.flatMap((result) => result.errors));
      return {
        name: `${file} > ${title}`,
        output: errors.map(({ message }) => message).join('\n'),
      };
    });
  return [...failed, ...suites.flatMap(failedSpecs)];
}

/** Counts single tests; a run that fails without a failed test is a failure of its own. */
function tests(name, program, args, { environment, readCounts }) {
  title(name);
  const code = run(process.execPath, [program, ...args], environment);
  const counts = countsOf(name, readCounts);
  passed += counts.passed;
  const isBroken = counts.failed.length === 0 && (code !== 0 || counts.passed === 0);
  failures.push(...(isBroken ? [{ name, output: '' }] : counts.failed));
}

function countsOf(name, readCounts) {
  try {
    return readCounts();
  } catch (error) {
    process.stderr.write(`No report of ${name}: ${error.message}\n`);
    return { passed: 0, failed: [] };
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function count(name, hasPassed, output) {
  if (hasPassed) {
    passed += 1;
  } else {
    failures.push({ name, output });
  }
}

function title(name) {
  process.stdout.write(`\n▸ ${name}\n`);
}
