import type { SkillMessageText } from '@knowhow/shared/skills/skills';

/** The cause of unreadable frontmatter, if it is more specific than YAML's error. */
export interface FrontmatterFault {
  code: 'merge-conflict' | 'yaml-unclosed';
  text: 'merge-conflict' | 'yaml-unclosed-value';
  values?: SkillMessageText['values'];
  /** From 1, in the frontmatter. */
  line: number;
}

const conflictStart = /^<{7}(?: |$)/;
const conflictMiddle = /^={7}$/;
const conflictEnd = /^>{7}(?: |$)/;

/** Whether a line is the start marker of a git merge conflict. */
export function beginsConflict(line: string): boolean {
  return conflictStart.test(line);
}

/** The cause of a YAML error: a merge conflict, or an unclosed value. */
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

/** The frontmatter with merge conflicts resolved to our side. */
export function ownSide(source: string): string {
  let isTheirs = false;
  const kept = source.split('\n').map((line) => {
    const isMarker = beginsConflict(line) || conflictMiddle.test(line) || conflictEnd.test(line);
    const isKept = !(isTheirs || isMarker);
    isTheirs = isMarker ? conflictMiddle.test(line) : isTheirs;
    // Keeps line numbers.
    return isKept ? line : '';
  });
  return kept.join('\n');
}

const openings: ReadonlySet<string> = new Set(['{', '[', '"', "'"]);
/** A key with the beginning of its value, on the same or the next line. */
const field = /^["']?([A-Za-z_][\w-]*)["']?[ \t]*:(.*)$/;
const maxFields = 100;

/** The values of top-level fields that begin with an opening sign, each up to the next field. */
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

/** Whether the opening sign of a text is closed in it; signs in quotes do not count. */
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
