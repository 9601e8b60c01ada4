import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, mergeConfig } from 'vite';
import { bundle, workers } from '../../vite.config.ts';

const server = fileURLToPath(new URL('../..', import.meta.url));

/** Vitest global setup: bundles the workers, since Node does not run TypeScript. */
export async function setup(): Promise<void> {
  const folder = join(server, 'dist-workers');
  mkdirSync(folder, { recursive: true });
  const inMemory = { build: { write: false, sourcemap: false } };
  const built = await build({
    ...mergeConfig(bundle(workers), inMemory),
    configFile: false,
    root: server,
    logLevel: 'error',
  });
  for (const { output } of [built].flat().filter((each) => 'output' in each)) {
    for (const file of output) {
      // Written atomically, since another run may be reading the file.
      const fresh = join(folder, `${file.fileName}.${process.pid}`);
      writeFileSync(fresh, file.type === 'chunk' ? file.code : file.source);
      renameSync(fresh, join(folder, file.fileName));
    }
  }
}
