const timeoutMs = 10_000;
const pauseMs = 20;

/** Waits until a condition holds; throws after ten seconds. */
export async function waitFor(condition: () => unknown): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`Waited in vain for: ${condition.toString()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
