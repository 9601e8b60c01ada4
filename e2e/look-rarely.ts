import { expect } from '@playwright/test';

/** Enough for a busy machine. */
const maxMs = 30_000;

/**
 * Repeats a check once a second, with `timeout: 1` in each expectation. Each look by role at a long page makes the
 * browser compute all roles, and looks in quick succession keep the page from formatting.
 */
export async function lookRarely(check: () => Promise<void>): Promise<void> {
  await expect(check).toPass({ intervals: [1000], timeout: maxMs });
}
