import type { PackedFile } from './packed-file.ts';

/** Maximum size of a searched file, in bytes. */
const maxBytes = 1024 * 1024;
const maxModules = 200;
const code = /\.[cm]?[jt]s$/i;

/**
 * The modules that a JavaScript or TypeScript file imports by path: `import`, `import()`, `export …
 * from`, `require()`, `require.resolve()` and `import.meta.resolve()` with a literal. Ignores
 * packages, Node.js modules, comments and string contents. Runs in linear time.
 */
export function importedModules({ path, bytes }: Pick<PackedFile, 'path' | 'bytes'>): string[] {
  if (!code.test(path) || bytes.length > maxBytes) {
    return [];
  }
  const found = new Set<string>();
  const before: string[] = [];
  for (const token of tokensIn(Buffer.from(bytes).toString('utf8'))) {
    const specifier = isText(token) && isImport(before) ? unquoted(token) : undefined;
    if (specifier !== undefined && isPath(specifier) && found.size < maxModules) {
      found.add(specifier);
    }
    if (!/^(?:\s|\/\/|\/\*)/.test(token)) {
      before.push(token);
      before.splice(0, before.length - maxBefore);
    }
  }
  return [...found];
}

/** Number of tokens before a string that determine whether it names a module. */
const maxBefore = 6;

/** Each alternative consumes what it begins, so that no text is scanned twice. */
const token =
  /\s+|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|'(?:[^'\\\n]+|\\[\s\S]?)*'?|"(?:[^"\\\n]+|\\[\s\S]?)*"?|`(?:[^`\\]+|\\[\s\S]?)*`?|[\w$]+|[\s\S]/g;
const regularExpression = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

function* tokensIn(text: string): Iterable<string> {
  let before = '';
  /**
   * No regular expression ends before this offset: searching the same line again would take
   * quadratic time.
   */
  let unclosedUntil = 0;
  for (let at = 0; at < text.length; ) {
    const isComment = /[/*]/.test(text[at + 1] ?? '');
    const mayBegin = text[at] === '/' && !isComment && beforeExpression.test(before);
    let found: RegExpExecArray | null = null;
    if (mayBegin && at >= unclosedUntil) {
      regularExpression.lastIndex = at;
      found = regularExpression.exec(text);
      unclosedUntil = found ? at : endOfLine(text, at);
    }
    token.lastIndex = at;
    const [next = ''] = found ?? token.exec(text) ?? [];
    yield next;
    at += next.length;
    before = /^(?:\s|\/\/|\/\*)/.test(next) ? before : next;
  }
}

/** After one of these, a slash begins a regular expression; otherwise it is a division. */
const beforeExpression = /^(?:|[(,=:[!&|?{};+]|return|typeof)$/;

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function isText(token: string): boolean {
  return /^['"`]./.test(token);
}

function isImport(before: readonly string[]): boolean {
  const tokens = before.join(' ');
  return (
    /(?:^|[^.] )(?:from|import)$/.test(tokens) ||
    /(?:^| )(?:import|require) \($/.test(tokens) ||
    /(?:^| )(?:require|meta) \. resolve \($/.test(tokens)
  );
}

/** Undefined for a template with substitutions. */
function unquoted(text: string): string | undefined {
  const inner = text.slice(1, text.endsWith(text[0] ?? '') ? -1 : undefined);
  return text.startsWith('`') && inner.includes('${')
    ? undefined
    : inner.replace(/\\(?:u00|x)([0-9a-f]{2})|\\(.)/gi, (_, hex, sign) =>
        hex === undefined ? sign : String.fromCharCode(Number.parseInt(hex, 16)),
      );
}

function isPath(specifier: string): boolean {
  return /^(?:\.{1,2}(?:[/\\]|$)|[/\\]|[a-z]:[/\\]|file:)/i.test(specifier);
}
