// npm test: static checks, unit, API and browser tests, from an empty checkout. The last line is the result.
// `npm test -- --thorough` adds tests on PostgreSQL, crash and soak tests, and the short attack, as CI does.
// `npm run test:thorough` (argument "thorough") runs only these.
// `npm run check` (argument "check") runs the quick unit and API tests, with the same random values each run.
// `npm run e2e` (argument "e2e", then Playwright's own arguments) runs only the browser tests.
// `npm test -- --database=postgres` runs all server tests on PostgreSQL.
// `--retries=1` repeats a failed test and lists it: a CI machine may have stalled for a moment.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, installMissing, root } from './prepare.mjs';

const options = {
  thorough: { type: 'boolean', default: false },
  retries: { type: 'string', default: '0' },
  database: { type: 'string' },
};
const reports = mkdtempSync(join(tmpdir(), 'knowhow-tests-'));
/** A log has no colours and does not rewrite lines. */
const isLog = Boolean(process.env.CI);
if (isLog) {
  process.env.NO_COLOR = '1';
  delete process.env.FORCE_COLOR;
}
/** `vitest.config.ts` defines these projects, and which files they skip. */
const projects = {
  check: ['--project=server', '--project=client'],
  all: ['--project=server', '--project=client', '--project=measuring'],
  thorough: ['--project=thorough', '--project=thorough-alone'],
  postgres: ['--project=postgres'],
};
let passed = 0;
/** Each with its name and first lines, repeated at the end: otherwise thousands of lines hide them. */
const failures = [];
/** The slowest tests of each runner, in milliseconds. */
const slow = [];
/** Tests that passed only at a second try. */
const flaky = [];
/** Lines repeated per failure, and characters per line. */
const maxLines = 12;
const maxLineLength = 300;
const slowestTests = 10;

const runs = {
  all: async () => {
    const { build, types } = await staticChecks(step('Build', 'server/bin/build.mjs', []));
    await unitTests('Unit and API tests', projects.all);
    await types;
    if (await build) {
      await browserTests();
    }
    if (isThorough) {
      await thoroughTests(await build);
    }
  },
  check: async () => {
    const { types } = await staticChecks();
    await unitTests('Quick unit and API tests', projects.check);
    await types;
    say('Left out: crash, soak, measuring and browser tests, tests on PostgreSQL, and');
    say(`${readJson(join(root, 'slow-tests.json')).length} slow files, listed in slow-tests.json.`);
  },
  e2e: async () => {
    if (await step('Build', 'server/bin/build.mjs', [])) {
      await browserTests();
    }
  },
  thorough: async () => thoroughTests(await step('Build', 'server/bin/build.mjs', [])),
  postgres: async () => {
    process.env.POSTGRES = 'all';
    await unitTests('All server tests on PostgreSQL', projects.postgres);
  },
};

installMissing();
const { part, isThorough, retries, rest } = readArguments(process.argv.slice(2));
await runs[part]();
end();

function readArguments([first = '', ...others]) {
  const isPart = first in runs;
  const rest = isPart ? others : [first, ...others].filter(Boolean);
  // Playwright reads its own arguments.
  const { values } = parseArgs({ args: first === 'e2e' ? [] : rest, options });
  const wanted = values.database === 'postgres' ? 'postgres' : 'all';
  return {
    part: isPart ? first : wanted,
    isThorough: values.thorough,
    retries: Number(values.retries),
    rest,
  };
}

/** One after the other: tests that flood a server or a disk would starve others. */
async function thoroughTests(isBuilt) {
  if (existsSync('/usr/lib/postgresql') || process.env.TEST_DATABASE_URL) {
    await unitTests('Tests on PostgreSQL', projects.postgres);
  }
  await unitTests('Crash and soak tests', projects.thorough);
  if (isBuilt && process.platform === 'linux') {
    await attack();
  }
}

/** The last line is the result. */
function end() {
  rmSync(reports, { recursive: true });
  const slowest = slow.sort((one, other) => other.milliseconds - one.milliseconds);
  say('\nSlowest tests:');
  for (const { name, milliseconds } of slowest.slice(0, slowestTests)) {
    say(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${name}`);
  }
  for (const name of flaky) {
    say(`\nPassed only at its second try: ${name}`);
  }
  say(failures.map(describeFailure).join(''));
  say(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

function describeFailure({ name, output }) {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const first = lines.slice(0, maxLines).map((line) => `  ${line.slice(0, maxLineLength)}\n`);
  return `\nFailed: ${name}\n${first.join('')}`;
}

/**
 * Resolves when all but the types are checked. They take longest and run in parallel with the tests, as one
 * core is idle while tests wait.
 */
async function staticChecks(build) {
  const types = checkTypes();
  await Promise.all([
    build,
    step('Lint and layers', bin('@biomejs/biome', 'biome'), [
      ...['ci', '--reporter=summary', '.'],
      ...(isLog ? ['--colors=off'] : []),
    ]),
    step('Promises', bin('oxlint', 'oxlint'), ['--type-aware', '.']),
    step('Dead code', bin('knip', 'knip'), []),
  ]);
  return { build, types };
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
 * The short attack. Its generous time limits detect hangs on any machine. Password-hashing threads have low
 * priority, so other load slows them down many times. `npm run attack` has the real limits.
 */
async function attack() {
  const name = 'Attack, in short';
  title(name);
  const seed = String(Date.now() % 2 ** 31);
  const failed = join(reports, 'attack.txt');
  const short = ['--short', '--patience', '10', '--seed', seed, '--failures', failed];
  let code = 1;
  for (let tries = 0; code !== 0 && tries <= retries; tries += 1) {
    ({ code } = await follow('e2e/dist/attack/attack.js', short));
  }
  count(name, code === 0, existsSync(failed) ? readFileSync(failed, 'utf8') : '');
}

function unitTests(name, args) {
  const file = join(reports, `${name}.json`);
  const all = [
    'run',
    ...args,
    `--retry=${retries}`,
    `--reporter=${isLog ? 'default' : 'dot'}`,
    '--reporter=./server/bin/record-tests.mjs',
  ];
  return tests(name, bin('vitest', 'vitest'), all, {
    environment: { TEST_RECORD: file, ...(part === 'check' ? { SEED: '1', QUICK: '1' } : {}) },
    readRecord: () => readJson(file),
  });
}

/** Playwright would run its projects in parallel. */
async function browserTests() {
  if (part === 'e2e' && rest.length > 0) {
    await browserTestsOf('Browser tests', rest);
    return;
  }
  await browserTestsOf('Browser tests', ['--project=together']);
  await browserTestsOf('Browser tests of long pages', ['--project=alone']);
}

function browserTestsOf(name, own) {
  const file = join(reports, 'browser.json');
  const reporters = `--reporter=${isLog ? 'list' : 'line'},json`;
  const args = ['test', '--config=e2e', `--retries=${retries}`, reporters, ...own];
  return tests(name, bin('@playwright/test', 'playwright'), args, {
    environment: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    readRecord: () => readBrowserReport(readJson(file)),
  });
}

/** The record of a report by Playwright. */
function readBrowserReport({ stats, suites, errors }) {
  const specs = suites.flatMap(specsOf).map(({ file, title, ok, tests: tried }) => {
    const results = tried.flatMap((each) => each.results);
    return {
      name: `${file} > ${title}`,
      isFailed: !ok,
      isFlaky: tried.some(({ status }) => status === 'flaky'),
      output: results.flatMap((result) => result.errors.map(({ message }) => message)).join('\n'),
      milliseconds: Math.max(0, ...results.map(({ duration }) => duration)),
    };
  });
  const outside = errors.map(({ message }) => ({ name: 'Outside of tests', output: message }));
  return {
    passed: stats.expected + stats.flaky,
    failed: [...outside, ...specs.filter(({ isFailed }) => isFailed)],
    flaky: specs.filter(({ isFlaky }) => isFlaky).map(({ name }) => name),
    slow: specs,
  };
}

/** Specs of a file, including those of its groups. */
function specsOf({ specs, suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/**
 * Counts single tests. A run that fails without a failed test counts as one failure, unless first tries of flaky tests
 * left errors behind.
 */
async function tests(name, program, args, { environment, readRecord }) {
  title(name);
  const { code, lastLines } = await follow(program, args, environment);
  const record = readOr(readRecord, name);
  passed += record.passed;
  slow.push(...record.slow);
  flaky.push(...record.flaky);
  const hasEndedWell = code === 0 || record.isOnlyFlaky;
  const isBroken = record.failed.length === 0 && (!hasEndedWell || record.passed === 0);
  failures.push(...(isBroken ? [{ name, output: lastLines }] : record.failed));
}

/** A run that was killed leaves no record. */
function readOr(readRecord, name) {
  try {
    return readRecord();
  } catch (error) {
    process.stderr.write(`No record of ${name}: ${error.message}\n`);
    return { passed: 0, failed: [], slow: [], flaky: [] };
  }
}

/** Runs a program and prints its output. Resolves to its exit code and the last lines of its output. */
function follow(program, args, environment = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  let last = '';
  for (const [stream, target] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ]) {
    stream.on('data', (data) => {
      target.write(data);
      last = (last + data).slice(-maxLines * maxLineLength);
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => {
      resolve({ code: code ?? 1, lastLines: last.split('\n').slice(-maxLines).join('\n') });
    });
  });
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
  say(`\n▸ ${name}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
