import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, mergeConfig } from 'vite';
import { bundle, workers } from '../../vite.config.ts';
import { projectDirectory } from '../project.ts';
import { testFolders } from './test-folders.ts';

/** Scripts that tests run in separate processes. */
const scripts = {
  main: new URL('../main.ts', import.meta.url),
  cli: new URL('../cli.ts', import.meta.url),
  'crashing-server': new URL('./crashing-server.ts', import.meta.url),
  'endless-script': new URL('./endless-script.ts', import.meta.url),
  'hold-folder': new URL('./hold-folder.ts', import.meta.url),
  'inject-faults': new URL('./inject-faults.ts', import.meta.url),
  'restoring-process': new URL('./restoring-process.ts', import.meta.url),
};

/**
 * Returns the path of a script, bundled like the product, with `server/bin` next to it. All scripts
 * are bundled once per run, by the first test file that needs one. Tests must not write there.
 */
export async function bundledScript(name: keyof typeof scripts): Promise<string> {
  const project = join(testFolders(process.ppid), 'project');
  const staging = `${project}.new`;
  while (!existsSync(project)) {
    if (await isMine(staging)) {
      await bundleOnce(staging, project).finally(() =>
        rm(staging, { recursive: true, force: true }),
      );
    }
    await wait(50);
  }
  return join(project, `server/dist/${name}.js`);
}

/** Whether this process created the folder. */
async function isMine(folder: string): Promise<boolean> {
  await mkdir(join(folder, '..'), { recursive: true });
  return mkdir(folder).then(
    () => true,
    () => false,
  );
}

/** Another process may have bundled in between. */
async function bundleOnce(staging: string, project: string): Promise<void> {
  if (existsSync(project)) return;
  await bundleAll(staging);
  await rename(staging, project);
}

async function bundleAll(project: string): Promise<void> {
  const server = join(projectDirectory, 'server');
  await cp(join(server, 'bin'), join(project, 'server/bin'), { recursive: true });
  for (const name of ['node_modules', 'package.json']) {
    await symlink(join(projectDirectory, name), join(project, name));
  }
  const input = [...Object.values(scripts).map((script) => fileURLToPath(script)), ...workers];
  const outDir = join(project, 'server/dist');
  await build({
    ...mergeConfig(bundle(input), { build: { outDir, sourcemap: false } }),
    configFile: false,
    root: server,
    logLevel: 'error',
  });
}
