// node server/bin/lay-out-image.mjs FOLDER [PROJECT]: copies into FOLDER only what the image needs of a built
// project (default: this one). The image copies `contents` separately.
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
  // The server with its supervisor, and the CLI with the build check that it runs first.
  ...['serve', 'supervise', 'knowhow', 'prepare'].map((name) => `server/bin/${name}.mjs`),
];
for (const part of parts) {
  const filter = part.endsWith('/dist') ? isServed : undefined;
  cpSync(join(project, part), join(folder, part), { recursive: true, filter });
}
// A volume of an older version may hide the image's `contents`.
cpSync(join(project, 'contents/skills'), join(folder, 'builtin/skills'), { recursive: true });
const copied = new Set();
// server/vite.config.ts does not bundle it.
copy('node_modules/libsql');

/** Excludes development files: source maps and the build stamp. */
function isServed(path) {
  return !path.endsWith('.map') && basename(path) !== '.built-from';
}

/** Copies a package and all of its dependencies that this platform can load. */
function copy(source) {
  copied.add(source);
  cpSync(join(project, source), join(folder, source), { recursive: true });
  const { dependencies, optionalDependencies } = readManifest(source);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const found = [`${source}/node_modules/${name}`, `node_modules/${name}`].find(
      (each) => existsSync(join(project, each)) && isLoadable(each),
    );
    if (found && !copied.has(found)) {
      copy(found);
    }
  }
}

/** npm installs the binaries for both C libraries. */
function isLoadable(source) {
  const abi = readManifest(source).neon?.abi;
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  return process.platform !== 'linux' || abi === undefined || isGlibc === abi.startsWith('gnu');
}

function readManifest(source) {
  return JSON.parse(readFileSync(join(project, source, 'package.json'), 'utf8'));
}
