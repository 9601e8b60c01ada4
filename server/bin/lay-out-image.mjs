// node server/bin/lay-out-image.mjs FOLDER [PROJECT]: lays out in FOLDER what the image needs of a built
// project (this one, if none is named), and nothing else of it; `contents` the image takes by itself.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './prepare.mjs';

const [folder = 'image', project = root] = process.argv.slice(2);

const parts = [
  'LICENSE',
  'package.json',
  'server/package.json',
  'server/dist',
  'client/dist',
  // Serves, and what it takes to do so; the command, and what that looks at first.
  ...['serve', 'supervise', 'knowhow', 'prepare'].map((name) => `server/bin/${name}.mjs`),
];
for (const part of parts) {
  const filter = part.endsWith('/dist') ? isServed : undefined;
  cpSync(join(project, part), join(folder, part), { recursive: true, filter });
}
// The image's `contents` may be hidden by a volume of an older version.
cpSync(join(project, 'contents/skills'), join(folder, 'builtin/skills'), { recursive: true });
const copied = new Set();
// What server/vite.config.ts leaves outside.
copy('node_modules/libsql');

/** All but what only those need who work on it: maps to the sources, and what shows that a build is stale. */
function isServed(path) {
  return !path.endsWith('.map') && basename(path) !== '.built-from';
}

/** Copies a package, and all that it asks for and this system can load. */
function copy(source) {
  copied.add(source);
  cpSync(join(project, source), join(folder, source), { recursive: true });
  const { dependencies, optionalDependencies } = manifestOf(source);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = [`${source}/node_modules/${name}`, `node_modules/${name}`].find(
      (each) => existsSync(join(project, each)) && isLoadable(each),
    );
    if (found && !copied.has(found)) {
      copy(found);
    }
  }
}

/** npm installs the binaries for either C library. */
function isLoadable(source) {
  const abi = manifestOf(source).neon?.abi;
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  return process.platform !== 'linux' || abi === undefined || isGlibc === abi.startsWith('gnu');
}

function manifestOf(source) {
  return JSON.parse(readFileSync(join(project, source, 'package.json'), 'utf8'));
}
