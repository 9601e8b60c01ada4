// npm test: every check, from an empty checkout. The last line is the result.
// `npm run check` (argument "check") runs the quick unit and API tests, with the same random values each run.
// `npm run e2e` (argument "e2e", then Playwright's own arguments) runs only the browser tests.
// `npm test -- --database=postgres` runs all server tests on PostgreSQL.
// The full run retries a failed test once and lists it: a machine may have stalled for a moment.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { bin, installMissing, root, run } from './prepare.mjs';

const [part = 'all', ...rest] = process.argv.slice(2);
const onPostgres = '--database=postgres';

const retries = part === 'all' ? 1 : 0;
const reports = mkdtempSync(join(tmpdir(), 'knowhow-tests-'));
/** A log has no colours and does not rewrite lines. */
const isLog = Boolean(process.env.CI);
if (isLog) {
  process.env.NO_COLOR = '1';
  delete process.env.FORCE_COLOR;
}
/** `vitest.config.ts` defines these projects, and which files they skip. */
const quick = ['--project=server', '--project=client'];
let passed = 0;
/** Each with its name and first lines, repeated at the end: otherwise thousands of lines hide them. */
const failures = [];
/** Lines repeated per failure, and characters per line. */
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
// In parallel with the tests if it takes longer than what they wait for: it keeps one core busy.
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
  // Alone: tests that flood a server or a disk would starve others.
  thoroughTests();
}
if (part === 'all' && isBuilt && process.platform === 'linux') {
  attack();
}
end();

/** The last line is the result. */
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
 * Parallel checkers would check many files twice: twice the work in total. Garbage collection takes a quarter
 * of the time and saves only half a gigabyte of three.
 */
function checkTypes() {
  const environment = totalmem() > 7e9 ? { GOGC: 'off' } : {};
  return step('Types', bin('typescript', 'tsc'), ['-b', '--checkers', '1'], environment);
}

/** Runs in parallel and prints all output at its end. Resolves to whether it succeeded. */
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
 * The short attack, with one retry. Its generous time limits detect hangs on any machine. Password-hashing
 * threads have low priority, so other load slows them down many times. `npm run attack` has the real limits.
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

/** Tests that kill processes, break disks or flood the server. */
function thoroughTests() {
  return unitTests('Crash and soak tests', ['--project=thorough']);
}

/** All server tests, on PostgreSQL. */
function postgresTests() {
  process.env.POSTGRES = 'all';
  return unitTests('Tests of the server on PostgreSQL', ['--project=postgres']);
}

function unitTests(name, args) {
  const file = join(reports, `${name}.json`);
  const all = [
    'run',
    ...args,
    `--retry=${retries}`,
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
  const args = ['test', '--config=e2e', `--retries=${retries}`, reporters, ...rest];
  return tests('Browser tests', bin('@playwright/test', 'playwright'), args, {
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    readCounts: () => {
      const { stats, suites } = readJson(file);
      return { passed: stats.expected + stats.flaky, failed: suites.flatMap(failedSpecs) };
    },
  });
}

/** Names of the failed tests in one file of Vitest's report. */
function failedIn({ name, assertionResults }) {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      name: `${name} > ${fullName}`,
      output: failureMessages.join('\n'),
    }));
}

/** Names of the failed tests in one file of Playwright's report, including nested suites. */
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

/** Counts single tests. A run that fails without a failed test counts as one failure. */
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
