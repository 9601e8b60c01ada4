import { mkdir, symlink } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, mergeConfig } from 'vite';
import { bundle, workers } from '../../vite.config.ts';
import { temporaryFolder } from './write-files.ts';

const server = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Bundles files as the product is bundled, for tests to run in processes of their own: Node runs no
 * TypeScript. Gives the path of each script.
 */
export async function bundleScripts<Entries extends URL[]>(
  ...entries: Entries
): Promise<{ [Entry in keyof Entries]: string }> {
  const project = await temporaryFolder();
  const folder = join(project, 'server/dist');
  await mkdir(folder, { recursive: true });
  for (const name of ['node_modules', 'package.json']) {
    await symlink(join(server, '..', name), join(project, name));
  }
  const paths = entries.map((entry) => fileURLToPath(entry));
  await build({
    ...mergeConfig(bundle([...paths, ...workers]), { build: { outDir: folder, sourcemap: false } }),
    configFile: false,
    root: server,
    logLevel: 'error',
  });
  // One for each, in their order.
  return paths.map((path) => join(folder, `${parse(path).name}.js`)) as never;
}
