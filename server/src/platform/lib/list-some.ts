/** The first names and the number of the others: "a, b and 3 more". */
export function listSome(names: readonly string[], max: number): string {
  const more = names.length - max;
  return `${names.slice(0, max).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
