// Installs and builds only what is missing or stale. Plain JavaScript without dependencies: it runs
// before there are any, and in front of every start, so it has to be quick.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const stampFile = join(root, 'server/dist/.built-from');

/** Makes node_modules hold what the lock file names. Exits when npm fails. */
export function installMissing() {
  if (!isInstalled()) {
    say('Installing packages…');
    mustRun('npm', ['ci', '--no-audit', '--no-fund']);
  }
}

/** Builds server and client unless they were built from just these sources. */
export function buildStale() {
  const sources = fingerprint();
  if (readText(stampFile) !== sources) {
    say('Building…');
    build();
  }
}

/** Builds server and client. Exits when a compiler fails. */
export function build() {
  const sources = fingerprint();
  for (const part of ['server', 'client']) {
    mustRun(process.execPath, [bin('vite', 'vite'), 'build', part, '--logLevel', 'warn']);
  }
  writeFileSync(stampFile, sources);
}

/** Runs a command in the project's folder and gives its exit code. */
export function run(command, args, environment = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    // npm is a script on Windows.
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error) {
    process.stderr.write(`${command} cannot be run: ${error.message}\n`);
  }
  return status ?? 1;
}

/** The path of a program that a package brings. */
export function bin(name, program) {
  const directory = join(root, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const path = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[program];
  return join(directory, path);
}

function mustRun(command, args) {
  const code = run(command, args);
  if (code !== 0) {
    process.exit(code);
  }
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

/** npm writes down what it installed; that must cover what the lock file wants. */
function isInstalled() {
  const wanted = readText(join(root, 'package-lock.json'));
  const present = readText(join(root, 'node_modules/.package-lock.json'));
  if (wanted === undefined || present === undefined) {
    return false;
  }
  const installed = JSON.parse(present).packages;
  return Object.entries(JSON.parse(wanted).packages).every(
    ([path, { version, link, optional }]) => {
      const elsewhere = !path.startsWith('node_modules/') || optional;
      return elsewhere || (link ? installed[path]?.link : installed[path]?.version === version);
    },
  );
}

/** Changes when a source file is added, removed or edited. */
function fingerprint() {
  const hash = createHash('sha256');
  const watched = [
    'package-lock.json',
    'tsconfig.base.json',
    'shared/src',
    'server/vite.config.ts',
    'server/src',
    'client/tsconfig.json',
    'client/vite.config.ts',
    'client/index.html',
    'client/public',
    'client/src',
  ];
  for (const path of watched) {
    addFile(hash, path);
  }
  return hash.digest('hex');
}

function addFile(hash, path) {
  const state = statSync(join(root, path), { throwIfNoEntry: false });
  if (state?.isDirectory()) {
    for (const name of readdirSync(join(root, path)).sort()) {
      addFile(hash, `${path}/${name}`);
    }
  } else if (state && !/\.test\.tsx?$/.test(path)) {
    hash.update(`${path} ${state.size} ${state.mtimeMs}\n`);
  }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
