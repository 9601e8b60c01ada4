/**
 * Calls `visit` for every node and the nodes it returns, at most `max` concurrently, in no
 * particular order. Rejects as soon as a visit fails.
 */
export function visitAll<Node extends object>(
  nodes: Iterable<Node>,
  max: number,
  visit: (node: Node) => Promise<Iterable<Node>>,
): Promise<void> {
  const pending = [...nodes];
  let running = 0;
  return new Promise((resolve, reject) => {
    const visitNext = () => {
      while (running < max) {
        const node = pending.pop();
        if (!node) {
          break;
        }
        running += 1;
        visit(node).then(ended, reject);
      }
      if (running === 0) {
        resolve();
      }
    };
    const ended = (more: Iterable<Node>) => {
      running -= 1;
      for (const node of more) {
        pending.push(node);
      }
      visitNext();
    };
    visitNext();
  });
}
