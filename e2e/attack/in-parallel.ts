/** Runs `act` `count` times, `atOnce` at a time; stops at the first error. */
export async function inParallel(
  concurrency: number,
  count: number,
  act: (each: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(concurrency, count) }, async () => {
      while (next < count) {
        const each = next;
        next += 1;
        await act(each);
      }
    }),
  );
}
