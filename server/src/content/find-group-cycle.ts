import type { Group } from '@knowhow/shared/access/groups';

/** The first circle of inheritance as a path that ends where it began, or undefined. */
export function findGroupCycle(groups: Record<string, Group>): string[] | undefined {
  const done = new Set<string>();
  for (const id of Object.keys(groups)) {
    const cycle = cycleFrom(id, groups, done);
    if (cycle) {
      return cycle;
    }
  }
  return undefined;
}

/** Without recursion: thousands of groups in a row would be more than a stack can hold. */
function cycleFrom(
  start: string,
  groups: Record<string, Group>,
  done: Set<string>,
): string[] | undefined {
  const open = [start];
  const path = new Set<string>();
  for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
    if (done.has(id) || path.has(id)) {
      // All that it inherits from has been looked at.
      open.pop();
      path.delete(id);
      done.add(id);
      continue;
    }
    path.add(id);
    const parents = (Object.hasOwn(groups, id) ? groups[id]?.inherits : undefined) ?? [];
    const again = parents.find((parent) => path.has(parent));
    if (again !== undefined) {
      const way = [...path];
      return [...way.slice(way.indexOf(again)), again];
    }
    for (const parent of parents) {
      open.push(parent);
    }
  }
  return undefined;
}
