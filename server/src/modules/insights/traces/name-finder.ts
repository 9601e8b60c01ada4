/** Finds names in texts; many of them in a single pass. */
export interface NameFinder {
  isIn(text: string): boolean;
  /** Names that occur anywhere in a text, also within words and other names. */
  namesIn(text: string): Set<string>;
}

/** Up to this number of names, `includes` is faster than the table. */
const maxSimpleNames = 4;

/** Size of the filter table for the first two characters. */
const pairs = 65_536;

export function nameFinder(names: Iterable<string>): NameFinder {
  const sorted = [...new Set(names)].filter((name) => name !== '').sort();
  if (sorted.length === 0) {
    return { isIn: () => false, namesIn: () => new Set() };
  }
  if (sorted.length <= maxSimpleNames) {
    return {
      isIn: (text) => sorted.some((name) => text.includes(name)),
      namesIn: (text) => new Set(sorted.filter((name) => text.includes(name))),
    };
  }
  const prefixes = findPrefixes(sorted);
  const maxLength = sorted.reduce((length, name) => Math.max(length, name.length), 0);
  const canStart = new Uint8Array(pairs);
  for (const name of sorted) {
    canStart[hashPair(name, 0)] = 1;
  }
  // A name of one character can start with any pair, so the filter does not work.
  const canFilter = sorted.every(({ length }) => length > 1);
  function* find(text: string): Generator<string> {
    for (let at = 0; at < text.length; at += 1) {
      if (canFilter && canStart[hashPair(text, at)] === 0) {
        continue;
      }
      const rest = text.slice(at, at + maxLength);
      // A name at the start of the text is the last one sorted before it, or a prefix of that.
      for (let index = lastUpTo(sorted, rest); index >= 0; index = prefixes[index] ?? -1) {
        const name = sorted[index] ?? '';
        if (rest.startsWith(name)) {
          yield name;
        }
      }
    }
  }
  return {
    isIn: (text) => find(text).next().done === false,
    namesIn: (text) => new Set(find(text)),
  };
}

/** For each name, the index of its longest proper prefix; -1 if none. */
function findPrefixes(sorted: readonly string[]): Int32Array {
  const found = new Int32Array(sorted.length).fill(-1);
  const stack: number[] = [];
  for (const [index, name] of sorted.entries()) {
    while (stack.length > 0 && !name.startsWith(sorted[stack.at(-1) ?? 0] ?? '')) {
      stack.pop();
    }
    found[index] = stack.at(-1) ?? -1;
    stack.push(index);
  }
  return found;
}

/** Index of the last name that does not sort after a text; -1 if none. */
function lastUpTo(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

function hashPair(text: string, at: number): number {
  return ((text.charCodeAt(at) * 251) ^ text.charCodeAt(at + 1)) & (pairs - 1);
}
