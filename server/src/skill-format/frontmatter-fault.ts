import type { Said } from '@knowhow/shared/skills/skills';

/** What makes a frontmatter unreadable, where that is known better than YAML reports it. */
export interface FrontmatterFault {
  code: 'merge-conflict' | 'yaml-unclosed';
  text: 'merge-conflict' | 'yaml-unclosed-value';
  values?: Said['values'];
  /** From 1, in the frontmatter. */
  line: number;
}

const conflictStart = /^<{7}(?: |$)/;
const conflictMiddle = /^={7}$/;
const conflictEnd = /^>{7}(?: |$)/;

/** Whether a line is where git begins to show two changes that it could not merge. */
export function beginsConflict(line: string): boolean {
  return conflictStart.test(line);
}

/** The cause of what YAML refuses: a conflict, or a value that is opened and not closed. */
export function findFault(source: string): FrontmatterFault | undefined {
  const lines = source.split('\n');
  const conflict = lines.findIndex(beginsConflict);
  if (conflict >= 0) {
    return { code: 'merge-conflict', text: 'merge-conflict', line: conflict + 1 };
  }
  const open = valuesOf(lines).find(({ text }) => !isClosed(text));
  if (!open) {
    return undefined;
  }
  const values = { field: open.key, sign: open.text.charAt(0) };
  return { code: 'yaml-unclosed', text: 'yaml-unclosed-value', values, line: open.line };
}

/** A frontmatter as it was before the other side's changes. */
export function ownSide(source: string): string {
  let isTheirs = false;
  const kept = source.split('\n').map((line) => {
    const isMark = beginsConflict(line) || conflictMiddle.test(line) || conflictEnd.test(line);
    const isKept = !(isTheirs || isMark);
    isTheirs = isMark ? conflictMiddle.test(line) : isTheirs;
    // Lines keep their numbers.
    return isKept ? line : '';
  });
  return kept.join('\n');
}

const openings: ReadonlySet<string> = new Set(['{', '[', '"', "'"]);
/** What begins a value that must end somewhere, on the line of its key or on the next. */
const field = /^["']?([A-Za-z_][\w-]*)["']?[ \t]*:(.*)$/;
const maxFields = 100;

/** The values of top-level fields that are opened by a sign, each down to the next field. */
function valuesOf(lines: readonly string[]): { key: string; text: string; line: number }[] {
  const starts = lines.flatMap((line, at) => {
    const [, key, value = ''] = field.exec(line) ?? [];
    return key === undefined ? [] : [{ key, value, at }];
  });
  return starts.slice(0, maxFields).flatMap(({ key, value, at }, index) => {
    const below = lines.slice(at + 1, starts[index + 1]?.at ?? lines.length);
    const text = [value, ...below].join('\n').trim();
    return openings.has(text.charAt(0)) ? [{ key, text, line: at + 1 }] : [];
  });
}

/** Whether the sign that opens a text has its counterpart in it; signs in quotes do not count. */
function isClosed(text: string): boolean {
  let open = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      at += sign === '\\' && quote === '"' ? 1 : 0;
      quote = sign === quote ? '' : quote;
    } else if (
      sign === '"' ||
      (sign === "'" && open === 0) ||
      /[\s:,[{]'/.test(text.slice(at - 1, at + 1))
    ) {
      quote = sign;
    } else {
      open += '[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0;
    }
    if (open <= 0 && quote === '') {
      return true;
    }
  }
  return false;
}
