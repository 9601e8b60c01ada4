/** The differing part of two texts: common context, and each text's own lines between. */
export interface ChangedLines {
  /** Number of the first line, from 1, the same in both. */
  firstLine: number;
  before: string[];
  one: string[];
  other: string[];
  after: string[];
}

/** Number of context lines. */
const around = 3;

/** The part in which two texts differ, from the first to the last differing line. */
export function changedLines(one: string, other: string): ChangedLines {
  const ones = one.split('\n');
  const others = other.split('\n');
  const shorter = Math.min(ones.length, others.length);
  let start = 0;
  while (start < shorter && ones[start] === others[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && ones.at(-1 - end) === others.at(-1 - end)) {
    end += 1;
  }
  const from = Math.max(0, start - around);
  return {
    firstLine: from + 1,
    before: ones.slice(from, start),
    one: ones.slice(start, ones.length - end),
    other: others.slice(start, others.length - end),
    after: ones.slice(ones.length - end, ones.length - end + around),
  };
}
