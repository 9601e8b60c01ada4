import { diffArrays } from 'diff';
import type { PackedFile } from './packed-file.ts';
import { createTimeBudget, maxChangedLines, textOf } from './text-of.ts';

/** Three states of a file: before two changes of it, and after each. */
interface Sides {
  base: PackedFile;
  ours: PackedFile;
  theirs: PackedFile;
}

/**
 * Returns a function that merges two changes of a text by lines. It returns undefined if they change the same or
 * adjacent lines differently, and for files that are binary, too long or too different. All its calls share the
 * time limit of `compareFiles`; afterwards, it merges nothing.
 */
export function createTextMerger(): (sides: Sides) => Uint8Array | undefined {
  const withBudget = createTimeBudget();
  return ({ base, ours, theirs }) => {
    const [before, own, other] = [base, ours, theirs].map(linesOf);
    if (!before || !own || !other) {
      return undefined;
    }
    const ownEdits = withBudget((timeout) => findEdits(before, own, timeout));
    const otherEdits = ownEdits && withBudget((timeout) => findEdits(before, other, timeout));
    const merged = otherEdits && mergeEdits(before, ownEdits, otherEdits);
    return merged && new TextEncoder().encode(merged.join(''));
  };
}

/** Lines with their line breaks. */
function linesOf(file: PackedFile): string[] | undefined {
  const text = textOf(file);
  return text === undefined ? undefined : (text.match(/[^\n]*\n|[^\n]+/g) ?? []);
}

/** Replaces lines of the base: from `start` until before `end`, from 0. */
interface Edit {
  start: number;
  end: number;
  lines: string[];
}

/** In order, with unchanged lines in between. */
function findEdits(
  before: string[],
  after: readonly string[],
  timeout: number,
): Edit[] | undefined {
  if (timeout <= 0) {
    return undefined;
  }
  const options = { timeout, maxEditLength: maxChangedLines };
  const edits: Edit[] = [];
  let at = 0;
  let open: Edit | undefined;
  const parts = diffArrays(before, [...after], options);
  for (const { added, removed, value } of parts ?? []) {
    if (!added && !removed) {
      at += value.length;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { start: at, end: at, lines: [] };
      edits.push(open);
    }
    if (removed) {
      at += value.length;
      open.end = at;
    } else {
      open.lines = [...open.lines, ...value];
    }
  }
  return parts && edits;
}

/** Undefined if two different edits touch each other. */
function mergeEdits(
  base: readonly string[],
  own: readonly Edit[],
  other: readonly Edit[],
): string[] | undefined {
  const merged: string[][] = [];
  let at = 0;
  const apply = ({ start, end, lines }: Edit) => {
    merged.push(base.slice(at, start), lines);
    at = end;
  };
  const [left, right] = [[...own].reverse(), [...other].reverse()];
  for (let [one, two] = [left.at(-1), right.at(-1)]; one || two; ) {
    if (one && two && one.start <= two.end && two.start <= one.end) {
      if (!isSame(one, two)) {
        return undefined;
      }
      apply(one);
      left.pop();
      right.pop();
    } else if (one && (!two || one.start < two.start)) {
      apply(one);
      left.pop();
    } else if (two) {
      apply(two);
      right.pop();
    }
    [one, two] = [left.at(-1), right.at(-1)];
  }
  return [...merged, base.slice(at)].flat();
}

function isSame(one: Edit, other: Edit): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, at) => line === other.lines[at])
  );
}
