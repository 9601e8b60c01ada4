import {
  Composer,
  type CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Pair,
  Parser,
} from 'yaml';

/** A top-level field of the frontmatter. */
export interface Field {
  value: unknown;
  /** A scalar as written, so that `1.0` stays "1.0" and `yes` stays "yes". */
  text: string | undefined;
  /** The same for the entries of a map. */
  entries: Map<string, string | undefined> | undefined;
  /** Line, from 1. */
  line: number;
}

export type Fields = Map<string, Field>;

/** Invalid YAML, or a frontmatter above the limits. */
export class YamlError extends Error {
  readonly line: number;
  /** Whether repairs are pointless. */
  readonly hopeless: boolean;
  /** Whether duplicate keys are the only issue. */
  readonly onlyDuplicates: boolean;
  constructor(message: string, line: number, { hopeless = false, onlyDuplicates = false } = {}) {
    super(message);
    this.line = line;
    this.hopeless = hopeless;
    this.onlyDuplicates = onlyDuplicates;
  }
}

/**
 * Keys that would pollute prototypes. At the top level they are fields without a value; below they
 * are omitted.
 */
export const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/**
 * Above this number of entries, duplicate detection is skipped, because it takes quadratic time.
 */
const manyEntries = 1000;
const maxAliases = 50;
/**
 * Composing is recursive, and V8 aborts the process if a regular expression runs on a full stack.
 */
const maxDepth = 32;
/** The parser takes up to 20 µs for each invalid token. */
const maxLexemes = 10_000;
const maxLines = 2000;
const maxFaults = 200;

/**
 * Parses YAML (core schema, no custom tags, few aliases) into its top-level fields.
 *
 * @throws YamlError if it is not YAML, or not a map
 */
export function parseYaml(source: string, { uniqueKeys }: { uniqueKeys: boolean }): Fields {
  const { document, lineCounter } = composeYaml(source, uniqueKeys);
  const { contents } = document;
  if (contents !== null && !isMap(contents)) {
    throw new YamlError('The frontmatter is not a list of fields.', 1);
  }
  const fields: Fields = new Map();
  for (const pair of contents?.items ?? []) {
    const key = keyOf(pair);
    if (key !== undefined) {
      const offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
      const value = unsafeKeys.has(key) ? undefined : pair.value;
      fields.set(key, {
        value: plainValue(value, document),
        text: textOf(value),
        entries: isMap(value) ? entriesOf(value.items) : undefined,
        line: lineCounter.linePos(offset).line,
      });
    }
  }
  return fields;
}

/**
 * Composes a single valid YAML document.
 *
 * @throws YamlError
 */
export function composeYaml(
  source: string,
  uniqueKeys: boolean,
): { document: Document; lineCounter: LineCounter } {
  const lineCounter = new LineCounter();
  const tokens = tokensOf(lexemesOf(source), lineCounter);
  const { depth, entries } = measure(tokens);
  if (depth > maxDepth) {
    throw new YamlError('There are too many levels.', 1, { hopeless: true });
  }
  const composer = new Composer({
    schema: 'core',
    uniqueKeys: uniqueKeys && entries <= manyEntries,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const [document, another] = composer.compose(tokens, true, source.length);
  const fault = document?.errors[0] ?? document?.warnings[0];
  if (!document || fault || another) {
    const offset = fault?.pos[0] ?? another?.range[0] ?? 0;
    const { line } = lineCounter.linePos(offset);
    const errors = document?.errors ?? [];
    throw new YamlError(fault?.message ?? 'Not one document.', line, {
      hopeless: errors.length > maxFaults,
      onlyDuplicates: errors.length > 0 && errors.every(({ code }) => code === 'DUPLICATE_KEY'),
    });
  }
  return { document, lineCounter };
}

/** Throws above the limits. */
function lexemesOf(source: string): string[] {
  const limit = source.split('\n').length > maxLines ? 0 : maxLexemes;
  const lexemes: string[] = [];
  for (const lexeme of new Lexer().lex(source)) {
    lexemes.push(lexeme);
    if (lexemes.length > limit) {
      throw new YamlError('There is too much of it.', 1, { hopeless: true });
    }
  }
  return lexemes;
}

function tokensOf(lexemes: readonly string[], { addNewLine }: LineCounter): CST.Token[] {
  const parser = new Parser(addNewLine);
  addNewLine(0);
  const tokens = lexemes.flatMap((lexeme) => [...parser.next(lexeme)]);
  return [...tokens, ...parser.end()];
}

/** Nesting depth and total number of entries, computed without recursion. */
function measure(tokens: readonly CST.Token[]): { depth: number; entries: number } {
  let depth = 0;
  let entries = 0;
  const stack = tokens.map((token) => ({ token, level: 0 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { token, level } = next;
    depth = Math.max(depth, level);
    if (token.type === 'document' && token.value) {
      stack.push({ token: token.value, level });
    } else if ('items' in token) {
      entries += token.items.length;
      for (const { key, value } of token.items) {
        for (const child of [key, value]) {
          if (child) {
            stack.push({ token: child, level: level + 1 });
          }
        }
      }
    }
  }
  return { depth, entries };
}

/** Throws if aliases multiply too much (billion laughs), or are circular. */
function plainValue(node: unknown, document: Document): unknown {
  if (isScalar(node)) {
    return node.value;
  }
  if (!isNode(node)) {
    return undefined;
  }
  let hasAliases = false;
  const onAnchor = (_value: unknown, count: number) => {
    hasAliases ||= count > 1;
  };
  const value: unknown = node.toJS(document, { maxAliasCount: maxAliases, onAnchor });
  if (hasAliases) {
    rejectCycle(value);
  }
  return value;
}

function rejectCycle(value: unknown): void {
  try {
    JSON.stringify(value);
  } catch {
    throw new YamlError('A value contains itself.', 1);
  }
}

function entriesOf(items: Pair[]): Map<string, string | undefined> {
  return new Map(
    items.flatMap((entry) => {
      const name = keyOf(entry);
      const isKept = name !== undefined && !unsafeKeys.has(name);
      return isKept ? [[name, textOf(entry.value)] as const] : [];
    }),
  );
}

function keyOf({ key }: Pair): string | undefined {
  return isScalar(key) ? String(key.source ?? key.value) : undefined;
}

function textOf(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null || node.value === undefined) {
    return undefined;
  }
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}
