/** Waits for something, but no longer than this; rejects as it does. */
export async function withTimeout(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([done, over]);
  } finally {
    clearTimeout(timer);
  }
}
