import { inject } from 'vitest';

const pauseMs = 20;

/** Polls until a condition holds; throws on timeout. */
export async function waitFor(condition: () => unknown): Promise<void> {
  const end = Date.now() + inject('patience');
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`Timed out waiting for: ${condition.toString()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
