/** Maximum cardinality of a label, because each value is kept for the lifetime of the process. */
const maxNames = 200;

/** Returns names unchanged until there are too many; new ones then become `other`. */
export function boundedNames(): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < maxNames) {
      known.add(name);
    }
    return known.has(name) ? name : 'other';
  };
}
