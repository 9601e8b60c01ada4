/** Longer names are no typing mistakes, and take time to compare. */
const maxLength = 64;

/** The name from which another differs by at most two typing mistakes, apart from case; undefined if there is none. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxLength) {
    return undefined;
  }
  const most = Math.min(2, Math.floor(name.length / 3));
  const near = known
    .map((each) => ({ each, distance: countEdits(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.each;
}

/** Levenshtein distance. */
function countEdits(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        ),
      );
    }
    above = current;
  }
  return above.at(-1) ?? 0;
}
