// Installs and builds only what is missing or stale. Plain JavaScript without dependencies: it runs before
// any are installed. It runs before every start, so it has to be quick.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Sources of every part. */
const common = ['package-lock.json', 'tsconfig.base.json', 'shared/src', 'packages', 'locales'];

/** Sources by the folder that is built from them. */
const parts = {
  server: ['server/vite.config.ts', 'server/src', 'server/assets'],
  client: [
    'client/tsconfig.json',
    'client/vite.config.ts',
    'client/mermaid-files.ts',
    'client/diagram-frame.js',
    'client/embed.js',
    'client/offline',
    'client/plain-scripts.ts',
    'client/service-worker.js',
    'client/without-json-schema.ts',
    'client/index.html',
    'client/public',
    'client/src',
  ],
};

/** The workspaces that the product is built from; the others' packages are for development only. */
const product = ['shared', 'packages/skill-format', 'server', 'client'];

/** Installs everything that the lock file lists. Exits if npm fails. */
export function installMissing() {
  install();
}

/** Installs only what building and serving need. Removes nothing. */
export function installMissingForProduct() {
  install(product);
}

function install(workspaces) {
  const present = readText(join(root, 'node_modules/.package-lock.json'));
  const wanted = readText(join(root, 'package-lock.json'));
  if (present !== undefined && wanted !== undefined && coversLock(present, wanted, workspaces)) {
    return;
  }
  say('Installing packages…');
  // Like `ci`, installs what the lock file lists, but keeps existing packages.
  const add = ['install', '--no-save'];
  const only = (workspaces ?? []).map((name) => `--workspace=${name}`);
  // Errors only: npm warns about each package that prefers a newer Node, but all of them support our minimum.
  // Cached packages need no request: the checksums of the lock file verify them.
  const quick = ['--loglevel=error', '--prefer-offline'];
  mustRun('npm', [...(present === undefined ? ['ci'] : add), ...quick, ...only]);
}

/** Builds the parts whose sources have changed since the last build. */
export function buildStale() {
  for (const part of Object.keys(parts)) {
    buildPartIfStale(part);
  }
}

/** Builds only the server, if stale. An installation without sources has nothing to build. */
export function buildServerIfStale() {
  if (existsSync(join(root, 'server/src'))) {
    buildPartIfStale('server');
  }
}

/** Builds server and client. Exits if a compiler fails. */
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

/** Runs a command in the project folder and returns its exit code. */
export function run(command, args, environment = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    // npm is a script on Windows.
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error) {
    process.stderr.write(`${command} could not be started: ${error.message}\n`);
  }
  return status ?? 1;
}

/** The path of a program that a package provides. */
export function bin(name, program) {
  const directory = join(root, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const path = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[program];
  return join(directory, path);
}

export function mustRun(command, args) {
  const code = run(command, args);
  if (code !== 0) {
    process.exit(code);
  }
}

/** Writes to stderr: another program may read a command's stdout. */
function say(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Whether the installed packages cover the lock file, including the workspaces' own node_modules. Checks only
 * the given workspaces, if any. Ignores optional packages: they may be for other platforms.
 */
export function coversLock(present, wanted, workspaces) {
  const installed = JSON.parse(present).packages;
  const { packages } = JSON.parse(wanted);
  const paths = workspaces ? packagesOf(workspaces, packages) : Object.keys(packages);
  return paths.every((path) => {
    const { version, link, optional } = packages[path];
    const isPackage = path.includes('node_modules/') && !optional;
    return !isPackage || (link ? installed[path]?.link : installed[path]?.version === version);
  });
}

/** Transitive dependencies of these workspaces, as paths in the lock file. */
export function packagesOf(workspaces, packages) {
  const paths = new Set(workspaces);
  for (const path of paths) {
    const { dependencies, devDependencies, peerDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })) {
      const isOptional = packages[path].peerDependenciesMeta?.[name]?.optional;
      const found = isOptional ? undefined : findPackage(name, path, packages);
      if (found !== undefined) {
        paths.add(found);
      }
    }
  }
  return [...paths];
}

/** Resolves a package as Node does: in the folder itself, then in its ancestors. */
function findPackage(name, folder, packages) {
  const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
  if (packages[path]) {
    return path;
  }
  const above = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
  return folder === '' ? undefined : findPackage(name, above, packages);
}

/** Changes when a source file of a part is added, removed or edited. */
function fingerprint(part) {
  const hash = createHash('sha256');
  for (const path of [...common, ...parts[part]]) {
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
