import type { Diagnostic } from '@knowhow/shared/skills';
import { isMap, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';

/** One top-level field of the frontmatter. */
export interface Field {
  value: unknown;
  /** A scalar as it is written, so that `1.0` stays "1.0" and `yes` stays "yes". */
  text: string | undefined;
  /** The same for the entries of a map. */
  entries: Map<string, string | undefined> | undefined;
  /** Line within the frontmatter, from 1. */
  line: number;
}

export type Fields = Map<string, Field>;

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype']);
const manyKeys = 1000;

/** Frontmatter that no repair could make readable. */
export class YamlError extends Error {
  readonly line: number | undefined;
  constructor(message: string, line: number | undefined) {
    super(message);
    this.line = line;
  }
}

/**
 * Parses frontmatter as YAML (core schema, no custom tags, few aliases). What plain YAML refuses is
 * tried again with repairs, each of which leaves a diagnostic: duplicate keys, tabs, then quoting
 * of plain values such as `description: Use when: …`.
 *
 * @throws YamlError when no repair helps
 */
export function parseYamlFields(source: string, diagnostics: Diagnostic[]): Fields {
  const attempts: { repair?: Diagnostic; text: string; uniqueKeys: boolean }[] = [
    { text: source, uniqueKeys: true },
    { repair: repairs.duplicateKeys, text: source, uniqueKeys: false },
    { repair: repairs.tabs, text: source.replaceAll('\t', '  '), uniqueKeys: false },
    { repair: repairs.quoted, text: quotePlainValues(source), uniqueKeys: false },
  ];
  let failure: unknown;
  for (const { repair, text, uniqueKeys } of attempts) {
    try {
      const fields = parseStrictly(text, uniqueKeys);
      if (repair) {
        diagnostics.push(repair);
      }
      return fields;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

const repairs = {
  duplicateKeys: {
    code: 'yaml-duplicate-keys',
    severity: 'warning',
    message: 'A field stands twice in the frontmatter; the last one counts.',
    fix: 'Remove one of the two.',
  },
  tabs: {
    code: 'yaml-tabs',
    severity: 'warning',
    message: 'The frontmatter is indented with tabs, which YAML does not allow.',
    fix: 'Indent with blanks.',
  },
  quoted: {
    code: 'yaml-quoted',
    severity: 'warning',
    message: 'A value in the frontmatter holds characters that YAML gives a meaning, such as ": ".',
    fix: 'Put the value in quotes.',
  },
} as const satisfies Record<string, Diagnostic>;

function parseStrictly(source: string, uniqueKeys: boolean): Fields {
  const lineCounter = new LineCounter();
  const few = source.split('\n').length <= manyKeys;
  const document = parseDocument(source, {
    schema: 'core',
    uniqueKeys: uniqueKeys && few,
    lineCounter,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) {
    throw new YamlError(fault.message, lineCounter.linePos(fault.pos[0]).line);
  }
  // Resolving aliases throws when they multiply beyond measure.
  document.toJS({ maxAliasCount: 50 });
  const fields: Fields = new Map();
  if (document.contents === null) {
    return fields;
  }
  if (!isMap(document.contents)) {
    throw new YamlError('The frontmatter is not a list of fields.', 1);
  }
  for (const pair of document.contents.items) {
    const key = keyOf(pair);
    if (key !== undefined) {
      fields.set(key, fieldOf(pair, lineCounter, document));
    }
  }
  return fields;
}

function fieldOf(
  pair: Pair,
  lineCounter: LineCounter,
  document: ReturnType<typeof parseDocument>,
): Field {
  const { key, value } = pair;
  const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  const node = isScalar(value) || isMap(value) ? value : undefined;
  return {
    value: isNode(value) ? value.toJS(document, { maxAliasCount: 50 }) : undefined,
    text: textOf(node),
    entries: isMap(node)
      ? new Map(
          node.items.flatMap((entry) => {
            const name = keyOf(entry);
            return name === undefined ? [] : [[name, textOf(entry.value)] as const];
          }),
        )
      : undefined,
    line: lineCounter.linePos(offset).line,
  };
}

function isNode(value: unknown): value is { toJS: (...args: unknown[]) => unknown } {
  return typeof value === 'object' && value !== null && 'toJS' in value;
}

function keyOf(pair: Pair): string | undefined {
  const key = isScalar(pair.key) ? String(pair.key.source ?? pair.key.value) : undefined;
  return key === undefined || unsafeKeys.has(key) ? undefined : key;
}

function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null || node.value === undefined) {
    return undefined;
  }
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

/** Quotes each top-level plain value, with its continuation lines folded in. */
function quotePlainValues(source: string): string {
  const lines: string[] = [];
  let open: { key: string; value: string } | undefined;
  const close = () => {
    if (open) {
      lines.push(`${open.key}: ${JSON.stringify(open.value)}`);
      open = undefined;
    }
  };
  for (const line of source.split('\n')) {
    const found = /^([A-Za-z_][\w-]*):[ \t]+([^\s|>"'].*)$/.exec(line);
    const value = found?.[2]?.trimEnd() ?? '';
    if (found && !isWellFormed(value)) {
      close();
      open = { key: found[1] ?? '', value };
    } else if (open && /^[ \t]+\S/.test(line) && !/^[ \t]+- /.test(line)) {
      open.value += ` ${line.trim()}`;
    } else {
      close();
      lines.push(line);
    }
  }
  close();
  return lines.join('\n');
}

/** A list, map, alias or anchor that YAML reads by itself need not be quoted. */
function isWellFormed(value: string): boolean {
  return /^[[{&*!]/.test(value) && parseDocument(value, { logLevel: 'silent' }).errors.length === 0;
}
