// Installs and builds only what is missing or stale. Plain JavaScript without dependencies: it runs
// before there are any, and in front of every start, so it has to be quick.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What is built, by its folder: the sources that count for it. */
const parts = {
  server: ['server/vite.config.ts', 'server/src'],
  client: [
    'client/tsconfig.json',
    'client/vite.config.ts',
    'client/index.html',
    'client/public',
    'client/src',
  ],
};

/** Makes node_modules hold what the lock file names. Exits when npm fails. */
export function installMissing() {
  if (!isInstalled()) {
    say('Installing packages…');
    mustRun('npm', ['ci', '--no-audit', '--no-fund']);
  }
}

/** Builds what was not built from just these sources. */
export function buildStale() {
  for (const part of Object.keys(parts)) {
    buildPartIfStale(part);
  }
}

/** The same for the server alone; an installation without sources has nothing to build. */
export function buildServerIfStale() {
  if (existsSync(join(root, 'server/src'))) {
    buildPartIfStale('server');
  }
}

/** Builds server and client. Exits when a compiler fails. */
export function build() {
  for (const part of Object.keys(parts)) {
    buildPart(part, fingerprint(part));
  }
}

function buildPartIfStale(part) {
  const sources = fingerprint(part);
  if (readText(stampFile(part)) !== sources) {
    say(`Building the ${part}…`);
    buildPart(part, sources);
  }
}

function buildPart(part, sources) {
  mustRun(process.execPath, [bin('vite', 'vite'), 'build', part, '--logLevel', 'warn']);
  writeFileSync(stampFile(part), sources);
}

function stampFile(part) {
  return join(root, part, 'dist/.built-from');
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

/** On stderr: what a command prints may be read by a program. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

function isInstalled() {
  const wanted = readText(join(root, 'package-lock.json'));
  const present = readText(join(root, 'node_modules/.package-lock.json'));
  return wanted !== undefined && present !== undefined && coversLock(present, wanted);
}

/**
 * npm writes down what it installed: whether that covers what the lock file wants, in the workspaces'
 * own folders too. Optional packages are for other platforms.
 */
export function coversLock(present, wanted) {
  const installed = JSON.parse(present).packages;
  return Object.entries(JSON.parse(wanted).packages).every(
    ([path, { version, link, optional }]) => {
      const isPackage = path.includes('node_modules/') && !optional;
      return !isPackage || (link ? installed[path]?.link : installed[path]?.version === version);
    },
  );
}

/** Changes when a source file of a part is added, removed or edited. */
function fingerprint(part) {
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', 'tsconfig.base.json', 'shared/src', ...parts[part]]) {
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
