/** Finds names in texts, each text in one pass: thousands of names times hundreds of texts are too many. */
export interface NameFinder {
  isIn(text: string): boolean;
  /** Those that are anywhere in a text, also within a word or another name. */
  namesIn(text: string): Set<string>;
}

/** How many pairs of characters are told apart. */
const pairs = 65_536;

export function nameFinder(names: Iterable<string>): NameFinder {
  const sorted = [...new Set(names)].filter((name) => name !== '').sort();
  const shorter = beginnings(sorted);
  const longest = sorted.reduce((length, name) => Math.max(length, name.length), 0);
  const begins = new Uint8Array(pairs);
  for (const name of sorted) {
    begins[pairOf(name, 0)] = 1;
  }
  // A name of one character begins with any pair that has it first.
  const filters = sorted.every(({ length }) => length > 1);
  function* find(text: string): Generator<string> {
    for (let at = 0; at < text.length; at += 1) {
      if (filters && begins[pairOf(text, at)] === 0) {
        continue;
      }
      const rest = text.slice(at, at + longest);
      // What a text begins with is the last name before it in their order, or what that one begins with.
      for (let index = lastUpTo(sorted, rest); index >= 0; index = shorter[index] ?? -1) {
        const name = sorted[index] ?? '';
        if (rest.startsWith(name)) {
          yield name;
        }
      }
    }
  }
  return {
    isIn: (text) => sorted.length > 0 && find(text).next().done === false,
    namesIn: (text) => new Set(sorted.length > 0 ? find(text) : []),
  };
}

/** For each name where the longest one is that it begins with; -1 for none. */
function beginnings(sorted: readonly string[]): Int32Array {
  const found = new Int32Array(sorted.length).fill(-1);
  const open: number[] = [];
  for (const [index, name] of sorted.entries()) {
    while (open.length > 0 && !name.startsWith(sorted[open.at(-1) ?? 0] ?? '')) {
      open.pop();
    }
    found[index] = open.at(-1) ?? -1;
    open.push(index);
  }
  return found;
}

/** Where the last name is that does not come after a text in their order; -1 for none. */
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

function pairOf(text: string, at: number): number {
  return ((text.charCodeAt(at) * 251) ^ text.charCodeAt(at + 1)) & (pairs - 1);
}
