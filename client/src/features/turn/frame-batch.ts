/** Batches items per animation frame; `flush` delivers the rest at once. */
export function frameBatch<Item>(apply: (items: Item[]) => void) {
  let waiting: Item[] = [];
  let frame = 0;

  function flush(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    const items = waiting;
    waiting = [];
    if (items.length > 0) {
      apply(items);
    }
  }

  function push(item: Item): void {
    waiting.push(item);
    frame ||= requestAnimationFrame(flush);
  }

  return { push, flush };
}
