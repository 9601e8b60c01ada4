import { inject } from 'vitest';

const pauseMs = 20;

/** Waits until a condition holds; throws when it does not in all the time that its test has for waiting. */
export async function waitFor(condition: () => unknown): Promise<void> {
  const end = Date.now() + inject('patience');
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`Waited in vain for: ${condition.toString()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
