import type { Hunk } from '@knowhow/shared/skills/file-changes';

export interface HunkRow {
  key: string;
  sign: ' ' | '+' | '-';
  /** The line number in the old text; undefined for an added line. */
  before: number | undefined;
  after: number | undefined;
  text: string;
}

/** The lines of a hunk with their numbers in both texts. */
export function hunkRows({ oldStart, newStart, lines }: Hunk): HunkRow[] {
  let before = oldStart;
  let after = newStart;
  return lines.map((line) => {
    const sign = line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : ' ';
    return {
      key: `${before}-${after}-${sign}`,
      sign,
      before: sign === '+' ? undefined : before++,
      after: sign === '-' ? undefined : after++,
      text: line.slice(1),
    };
  });
}

/** A row of two columns: a line of the old and one of the new text. A side without a line is undefined. */
export interface SplitRow {
  key: string;
  old: HunkRow | undefined;
  now: HunkRow | undefined;
}

/** The lines of a hunk in two columns: removed lines next to the added lines that follow them. */
export function splitRows(hunk: Hunk): SplitRow[] {
  const rows: SplitRow[] = [];
  let removed: HunkRow[] = [];
  let added: HunkRow[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [old, now] = [removed[at], added[at]];
      rows.push({ key: `${old?.key}|${now?.key}`, old, now });
    }
    removed = [];
    added = [];
  };
  for (const row of hunkRows(hunk)) {
    if (row.sign === '-') {
      removed.push(row);
    } else if (row.sign === '+') {
      added.push(row);
    } else {
      flush();
      rows.push({ key: row.key, old: row, now: row });
    }
  }
  flush();
  return rows;
}
