import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { testFolders } from './test-folders.ts';

const remove = () => rmSync(testFolders(process.pid), { recursive: true, force: true });

/** For Vitest, in the process that its workers come from: what they bundle is of one run. */
export function setup(project: TestProject): void {
  project.onTestsRerun(async () => remove());
}

/** Runs when all tests are over. */
export function teardown(): void {
  remove();
}
