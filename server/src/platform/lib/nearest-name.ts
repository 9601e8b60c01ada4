/** Longer names are no typing mistakes, and take time to compare. */
const maxLength = 64;

/**
 * The known name with the fewest edits from `name`, ignoring case; undefined if all need more.
 *
 * @param maxEdits by default two, and fewer in names of less than six characters
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  maxEdits = Math.min(2, Math.floor(name.length / 3)),
): string | undefined {
  const written = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = maxEdits + 1;
  for (const each of name.length > maxLength ? [] : known) {
    const edits =
      Math.abs(each.length - name.length) < fewest
        ? countEdits(written, each.toLowerCase())
        : fewest;
    if (edits < fewest) {
      nearest = each;
      fewest = edits;
    }
  }
  return nearest;
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
function countEdits(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      current.push(isSwap ? Math.min(edits, (beforeLast[column - 2] ?? 0) + 1) : edits);
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}
