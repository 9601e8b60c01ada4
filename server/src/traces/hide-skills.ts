import { escapeXml } from '../lib/escape-xml.ts';
import { nameFinder } from './name-finder.ts';
import type { StoredCall, StoredMessage, TraceSetting } from './stored-trace.ts';

/** What a reader of a trace may not know of, as things are now. */
export interface Hiding {
  /** Ids of the skills that the trace tells of and the reader may not see any more. */
  hidden: ReadonlySet<string>;
  /** Whether a text that is not ours names one. */
  isNamedIn(text: string): boolean;
}

export function hidingOf(hidden: ReadonlySet<string>): Hiding {
  const { isIn } = nameFinder(hidden);
  return { hidden, isNamedIn: isIn };
}

const opening = '\n  <skill>\n    <name>';
const closing = '\n  </skill>';

/** A text with a catalogue in it, without the entries of hidden skills. An expression would try each opening to the end. */
export function withoutEntries(text: string, { hidden }: Hiding): string {
  const names = new Set([...hidden].map(escapeXml));
  const kept: string[] = [];
  let from = 0;
  let start = names.size === 0 ? -1 : text.indexOf(opening);
  while (start >= 0) {
    const end = text.indexOf(closing, start);
    if (end < 0) {
      break;
    }
    const after = end + closing.length;
    const name = text.slice(start + opening.length, text.indexOf('<', start + opening.length));
    kept.push(text.slice(from, names.has(name) ? start : after));
    from = after;
    start = text.indexOf(opening, after);
  }
  return kept.join('') + text.slice(from);
}

export function withoutHidden(names: readonly string[], { hidden }: Hiding): string[] {
  return names.filter((name) => !hidden.has(name));
}

/** The parameters of a tool, whose lists of names are without those of hidden skills. */
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

/** Whether nothing of it can be shown. */
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
