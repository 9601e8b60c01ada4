import type { Group } from '@knowhow/shared/access/groups';

/** The first inheritance cycle as a path that ends where it starts, or undefined. */
export function findGroupCycle(groups: Record<string, Group>): string[] | undefined {
  const done = new Set<string>();
  for (const id of Object.keys(groups)) {
    const cycle = findCycleFrom(id, groups, done);
    if (cycle) {
      return cycle;
    }
  }
  return undefined;
}

/** Iterative, because a chain of thousands of groups would overflow the stack. */
function findCycleFrom(
  start: string,
  groups: Record<string, Group>,
  done: Set<string>,
): string[] | undefined {
  const stack = [start];
  const path = new Set<string>();
  for (let id = stack.at(-1); id !== undefined; id = stack.at(-1)) {
    if (done.has(id) || path.has(id)) {
      // All its ancestors have been visited.
      stack.pop();
      path.delete(id);
      done.add(id);
      continue;
    }
    path.add(id);
    const parents = (Object.hasOwn(groups, id) ? groups[id]?.inherits : undefined) ?? [];
    const repeated = parents.find((parent) => path.has(parent));
    if (repeated !== undefined) {
      const trail = [...path];
      return [...trail.slice(trail.indexOf(repeated)), repeated];
    }
    for (const parent of parents) {
      stack.push(parent);
    }
  }
  return undefined;
}
