import { escapeXml } from '@knowhow/shared/escape-xml';
import { nameFinder } from './name-finder.ts';
import type { StoredCall, StoredMessage, TraceSetting } from './stored-trace.ts';

/** Skills that a reader of a trace must not see at present. */
export interface Hiding {
  /** IDs of the skills that the trace mentions but the reader can no longer see. */
  hidden: ReadonlySet<string>;
  /** Whether free text mentions one of them. */
  isNamedIn(text: string): boolean;
}

export function createHiding(hidden: ReadonlySet<string>): Hiding {
  const { isIn } = nameFinder(hidden);
  return { hidden, isNamedIn: isIn };
}

const opening = '\n  <skill>\n    <name>';
const closing = '\n  </skill>';

/**
 * Removes the entries of hidden skills from a text with a catalogue. Searches by index, because a regular expression
 * would scan to the end for each opening tag.
 */
export function withoutEntries(text: string, { hidden }: Hiding): string {
  const names = new Set([...hidden].map(escapeXml));
  const pieces: string[] = [];
  let from = 0;
  let start = names.size === 0 ? -1 : text.indexOf(opening);
  while (start >= 0) {
    const end = text.indexOf(closing, start);
    if (end < 0) {
      break;
    }
    const after = end + closing.length;
    const name = text.slice(start + opening.length, text.indexOf('<', start + opening.length));
    pieces.push(text.slice(from, names.has(name) ? start : after));
    from = after;
    start = text.indexOf(opening, after);
  }
  return pieces.join('') + text.slice(from);
}

export function withoutHidden(names: readonly string[], { hidden }: Hiding): string[] {
  return names.filter((name) => !hidden.has(name));
}

/** Removes the names of hidden skills from lists in a tool's parameters. */
export function withoutNames(value: unknown, hiding: Hiding): unknown {
  if (Array.isArray(value)) {
    return value
      .filter((item) => typeof item !== 'string' || !hiding.hidden.has(item))
      .map((item) => withoutNames(item, hiding));
  }
  if (typeof value !== 'object' || value === null || hiding.hidden.size === 0) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutNames(item, hiding)]),
  );
}

/** Whether it must be withheld entirely. */
export function mentionsHidden(
  { skills = [] }: Pick<StoredMessage | StoredCall, 'skills'>,
  { hidden }: Hiding,
): boolean {
  return skills.some((name) => hidden.has(name));
}

export function systemWithout(
  { system }: Pick<TraceSetting, 'system'>,
  hiding: Hiding,
): TraceSetting['system'] {
  return system.map((block) =>
    block.kind === 'app' ? block : { ...block, text: withoutEntries(block.text, hiding) },
  );
}
