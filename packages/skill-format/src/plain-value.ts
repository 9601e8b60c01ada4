import { plainFlow } from './plain-flow.ts';
import {
  fold,
  isPlainKey,
  type PlainValue,
  plainScalar,
  quotedText,
  textValue,
  treeValue,
} from './plain-scalar.ts';

const maxDepth = 10;

const key = /^([A-Za-z_][\w-]{0,99}):(?: +(.*))?$/;
const item = /^(- +)(.*)$/;
/** The beginning of a line that continues a text. */
const continuation = /^ +[\p{L}\p{N}("'`]/u;
const plainText = /^[^"'[{]/;

/** An entry of a map, as written. */
export interface PlainEntry {
  key: string;
  /** The rest of the line after the key. */
  written: string;
  /** The lines up to the next key. */
  below: string[];
  /** Its line within the map, from 0. */
  at: number;
}

/**
 * Parses a map whose keys are all indented by the same number of blanks; undefined for anything
 * complicated. The lines must not contain other white space.
 */
export function plainEntries(lines: readonly string[], indent: number): PlainEntry[] | undefined {
  const entries = new Map<string, PlainEntry>();
  let open: PlainEntry | undefined;
  for (const [at, line] of lines.entries()) {
    const depth = indentOf(line);
    const first = line[depth] ?? '';
    const isItem = depth === indent && first === '-' && open?.written === '';
    const found = depth === indent ? key.exec(line.slice(indent)) : null;
    if (first === '#' && depth <= indent) {
      open = undefined;
    } else if (open && (first === '' || depth > indent || isItem)) {
      open.below.push(line);
    } else if (found?.[1] !== undefined && isPlainKey(found[1]) && !entries.has(found[1])) {
      open = { key: found[1], written: (found[2] ?? '').trimEnd(), below: [], at };
      entries.set(open.key, open);
    } else if (first !== '') {
      return undefined;
    }
  }
  return [...entries.values()];
}

/**
 * The value as YAML would parse it; undefined for anything complicated.
 *
 * @param written what follows the key, or the dash of a list, on its line
 * @param below the lines up to the next one
 */
export function plainValue(
  written: string,
  below: readonly string[],
  depth = 0,
): PlainValue | undefined {
  const lines = below.slice(0, below.findLastIndex((line) => line.trim() !== '') + 1);
  if (written === '') {
    return lines.length === 0 ? treeValue(null) : collectionOf(lines, depth);
  }
  if (/^[|>]-?$/.test(written)) {
    return blockText(written, below);
  }
  if (/^[[{]/.test(written)) {
    return plainFlow([written, ...lines].join('\n'));
  }
  return lines.length === 0 ? plainScalar(written) : textInLines(written, lines);
}

function collectionOf(lines: readonly string[], depth: number): PlainValue | undefined {
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const indent = indentOf(first);
  if (depth >= maxDepth) {
    return undefined;
  }
  if (item.test(first.slice(indent))) {
    return listOf(lines, indent, depth + 1);
  }
  return /^[[{]/.test(first.slice(indent))
    ? plainFlow(lines.join('\n').trimStart())
    : mapOf(lines, indent, depth + 1);
}

function listOf(lines: readonly string[], indent: number, depth: number): PlainValue | undefined {
  const items: { written: string; below: string[]; indent: number }[] = [];
  for (const line of lines) {
    const found = indentOf(line) === indent ? item.exec(line.slice(indent)) : null;
    const [, dash, written] = found ?? [];
    if (dash !== undefined && written !== undefined) {
      items.push({ written: written.trimEnd(), below: [], indent: indent + dash.length });
    } else if (line.trim() === '' || indentOf(line) > indent) {
      items.at(-1)?.below.push(line);
    } else {
      return undefined;
    }
  }
  // A map after a dash is indented like its first key.
  const values = items.map(({ written, below, indent: own }) =>
    key.test(written)
      ? mapOf([' '.repeat(own) + written, ...below], own, depth)
      : plainValue(written, below, depth),
  );
  return values.includes(undefined) ? undefined : treeValue(values.map((each) => each?.value));
}

function mapOf(lines: readonly string[], indent: number, depth: number): PlainValue | undefined {
  const found = indent > 0 ? plainEntries(lines, indent) : undefined;
  if (!found || found.length === 0) {
    return undefined;
  }
  const value: Record<string, unknown> = {};
  const entries = new Map<string, string | undefined>();
  for (const entry of found) {
    const inside = plainValue(entry.written, entry.below, depth);
    if (!inside) {
      return undefined;
    }
    value[entry.key] = inside.value;
    entries.set(entry.key, inside.text);
  }
  return treeValue(value, entries);
}

/** A block text with uniform indentation. */
function blockText(head: string, below: readonly string[]): PlainValue | undefined {
  const indent = indentOf(below[0] ?? '');
  const isFolded = head.startsWith('>');
  const isIndentedAlike = (line: string) => {
    const depth = indentOf(line);
    return line.trim() === '' ? depth <= indent : depth === indent || (depth > indent && !isFolded);
  };
  if (indent === 0 || below[0]?.trim() === '' || !below.every(isIndentedAlike)) {
    return undefined;
  }
  const text = below
    .map((line) => line.slice(indent))
    .join('\n')
    .replace(/\n+$/, '');
  return textValue((isFolded ? fold(text) : text) + (head.endsWith('-') ? '' : '\n'));
}

/** A text that continues on the following lines, indented. */
function textInLines(written: string, lines: readonly string[]): PlainValue | undefined {
  if (!plainText.test(written)) {
    const isIndented = lines.every((line) => line.trim() === '' || line.startsWith(' '));
    const text = isIndented ? quotedText([written, ...lines].join('\n').trimEnd()) : undefined;
    return text === undefined ? undefined : textValue(text);
  }
  if (!lines.every((line) => continuation.test(line))) {
    return undefined;
  }
  const text = [written, ...lines].map((line) => line.trim()).join(' ');
  const value = plainScalar(text);
  return typeof value?.value === 'string' ? value : undefined;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
