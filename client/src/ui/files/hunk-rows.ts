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
