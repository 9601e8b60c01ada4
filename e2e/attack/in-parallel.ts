/** Does something `count` times, so many at once; the first that fails ends it. */
export async function inParallel(
  atOnce: number,
  count: number,
  act: (each: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      while (next < count) {
        const each = next;
        next += 1;
        await act(each);
      }
    }),
  );
}
