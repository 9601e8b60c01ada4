import { isMap, isNode, isScalar, LineCounter, type Pair, parseDocument } from 'yaml';

/** One top-level field of the frontmatter. */
export interface Field {
  value: unknown;
  /** A scalar as it is written, so that `1.0` stays "1.0" and `yes` stays "yes". */
  text: string | undefined;
  /** The same for the entries of a map. */
  entries: Map<string, string | undefined> | undefined;
  /** Line, from 1. */
  line: number;
}

export type Fields = Map<string, Field>;

/** Text that is not YAML, or more of it than a frontmatter may ask for. */
export class YamlError extends Error {
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype']);
/** With more keys than this, looking for duplicates takes quadratic time. */
const manyKeys = 1000;
const maxAliases = 50;

/**
 * Parses YAML (core schema, no custom tags, few aliases) into its top-level fields.
 *
 * @throws YamlError when it is not YAML, or not a map
 */
export function parseYaml(source: string, { uniqueKeys }: { uniqueKeys: boolean }): Fields {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, {
    schema: 'core',
    uniqueKeys: uniqueKeys && source.split('\n').length <= manyKeys,
    lineCounter,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault) {
    throw new YamlError(fault.message, lineCounter.linePos(fault.pos[0]).line);
  }
  const { contents } = document;
  if (contents !== null && !isMap(contents)) {
    throw new YamlError('The frontmatter is not a list of fields.', 1);
  }
  // Throws when aliases multiply beyond measure.
  document.toJS({ maxAliasCount: maxAliases });
  const fields: Fields = new Map();
  for (const pair of contents?.items ?? []) {
    const key = keyOf(pair);
    if (key !== undefined) {
      const offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
      const { value } = pair;
      fields.set(key, {
        value: isNode(value) ? value.toJS(document, { maxAliasCount: maxAliases }) : undefined,
        text: textOf(value),
        entries: isMap(value) ? entriesOf(value.items) : undefined,
        line: lineCounter.linePos(offset).line,
      });
    }
  }
  return fields;
}

function entriesOf(items: Pair[]): Map<string, string | undefined> {
  return new Map(
    items.flatMap((entry) => {
      const name = keyOf(entry);
      return name === undefined ? [] : [[name, textOf(entry.value)] as const];
    }),
  );
}

function keyOf({ key }: Pair): string | undefined {
  const name = isScalar(key) ? String(key.source ?? key.value) : undefined;
  return name === undefined || unsafeKeys.has(name) ? undefined : name;
}

function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null || node.value === undefined) {
    return undefined;
  }
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}
