/** How many different names a metric may have: each one is kept for as long as the process lives. */
const most = 200;

/** Gives names as they are until there are too many, and `other` for each new one from then on. */
export function boundedNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < most) {
      known.add(name);
    }
    return known.has(name) ? name : 'other';
  };
}
