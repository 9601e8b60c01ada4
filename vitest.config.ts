import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests wait for a process or a disk, so that two of them share two cores well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'server',
          globalSetup: [
            'server/src/testing/remove-folders.ts',
            'server/src/testing/bundle-workers.ts',
          ],
          include: ['shared/src/**/*.test.ts', 'server/src/**/*.test.ts'],
          environment: 'node',
          testTimeout: 20_000,
          provide: {
            crashes: Number(process.env.CRASHES ?? 200),
            crashSeed: Number(process.env.CRASH_SEED ?? Date.now()),
          },
        },
      },
      {
        test: {
          name: 'client',
          include: ['client/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          testTimeout: 20_000,
        },
      },
    ],
  },
});
