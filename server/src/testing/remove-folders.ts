import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { testFolders } from './test-folders.ts';

/** Tries again, since a process that a test killed may still be writing. */
const remove = () =>
  rmSync(testFolders(process.pid), { recursive: true, force: true, maxRetries: 10 });

/** Vitest global setup, in the parent process: bundles belong to one run. */
export function setup(project: TestProject): void {
  project.onTestsRerun(async () => remove());
}

/** Runs after all tests. */
export function teardown(): void {
  remove();
}
