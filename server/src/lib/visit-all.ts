/**
 * Calls `visit` for every node, and for those that a visit gives back, never more than `most` at a
 * time, in no order. Rejects as soon as a visit does.
 */
export function visitAll<Node extends object>(
  nodes: Iterable<Node>,
  most: number,
  visit: (node: Node) => Promise<Iterable<Node>>,
): Promise<void> {
  const left = [...nodes];
  let running = 0;
  return new Promise((resolve, reject) => {
    const visitNext = () => {
      while (running < most) {
        const node = left.pop();
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
        left.push(node);
      }
      visitNext();
    };
    visitNext();
  });
}
