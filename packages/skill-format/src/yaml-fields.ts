import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { cleanText } from './decode-text.ts';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';
import { findFault, ownSide } from './frontmatter-fault.ts';
import { composeYaml, type Fields, parseYaml, unsafeKeys, YamlError } from './parse-yaml.ts';
import { readPlainFields } from './read-plain-document.ts';

/** Repairs, tried in order until one works; each reports its diagnostic. */
const repairs: { code: DiagnosticCode; fix: (source: string) => string }[] = [
  { code: 'yaml-duplicate-keys', fix: (source) => source },
  { code: 'yaml-tabs', fix: (source) => source.replaceAll('\t', '  ') },
  { code: 'yaml-quoted', fix: (source) => quotePlainValues(source.replaceAll('\t', '  ')) },
];

/**
 * The fields of a frontmatter. Invalid YAML is repaired if possible, otherwise read line by line.
 * Never throws.
 *
 * @param offset lines of the file before the frontmatter; fields have line numbers of the file
 */
export function parseYamlFields(source: string, offset: number, diagnostics: Diagnostic[]): Fields {
  const strict = attempt(source, true);
  if (strict instanceof Map) {
    return finished(strict, offset, diagnostics);
  }
  const fault = findFault(source);
  const report = (code: DiagnosticCode) => {
    const { line, ...known } = fault ?? { code, ...named(code, strict), line: strict.line };
    diagnostics.push(diagnose(known.code, { ...known, line: offset + line }));
  };
  const readable = fault?.code === 'merge-conflict' ? ownSide(source) : source;
  for (const { code, fix } of strict.hopeless ? [] : repairs) {
    const fixed = fix(readable);
    // YAML that failed for another reason than duplicate keys would fail again.
    const isWorthRetrying = fixed !== source || strict.onlyDuplicates;
    const fields = isWorthRetrying ? attemptFixed(fixed) : undefined;
    if (fields instanceof Map) {
      report(code);
      return finished(fields, offset, diagnostics);
    }
  }
  report('yaml-invalid');
  return finished(scanLines(readable), offset, diagnostics);
}

/** Issues that cannot be repaired are reported with the parser's message. */
function named(code: DiagnosticCode, { message }: YamlError) {
  const error = cleanText(message).split('\n')[0]?.replace(/\.$/, '') ?? '';
  return code === 'yaml-invalid' ? { text: 'yaml-invalid-error' as const, values: { error } } : {};
}

function attemptFixed(source: string): Fields | YamlError {
  return readPlainFields(source, 0) ?? attempt(source, false);
}

function attempt(source: string, uniqueKeys: boolean): Fields | YamlError {
  try {
    return parseYaml(source, { uniqueKeys });
  } catch (error) {
    // Aliases that multiply throw a plain error.
    return error instanceof YamlError ? error : new YamlError(String(error), 1);
  }
}

/** Fields with line numbers of the file, without characters from escapes that must be removed. */
function finished(fields: Fields, offset: number, diagnostics: Diagnostic[]): Fields {
  for (const field of fields.values()) {
    let isClean = true;
    const clean = (text: string) => {
      const cleaned = cleanText(text);
      isClean &&= cleaned === text;
      return cleaned;
    };
    field.line += offset;
    field.text = field.text === undefined ? undefined : clean(field.text);
    field.entries &&= new Map(
      [...field.entries].map(([key, text]) => [
        clean(key),
        text === undefined ? text : clean(text),
      ]),
    );
    if (Array.isArray(field.value)) {
      field.value = field.value.map((item) => (typeof item === 'string' ? clean(item) : item));
    }
    if (!isClean) {
      diagnostics.push(diagnose('control-characters', { line: field.line }));
    }
  }
  return fields;
}

const plainField = /^([A-Za-z_][\w-]*):[ \t]+([^\s|>"'].*)$/;

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
    const [, key, plain = ''] = plainField.exec(line) ?? [];
    const value = plain.trimEnd();
    if (key && !isWellFormed(value)) {
      close();
      open = { key, value };
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

/** A list, map, alias or anchor that YAML can parse need not be quoted. */
function isWellFormed(value: string): boolean {
  if (!/^[[{&*!]/.test(value)) {
    return false;
  }
  try {
    composeYaml(value, false);
    return true;
  } catch {
    return false;
  }
}

/** The last resort: every line `key: value` at column 0, with its continuation lines. */
function scanLines(source: string): Fields {
  const found = new Map<string, { line: number; parts: string[] }>();
  let parts: string[] | undefined;
  for (const [index, line] of source.split('\n').entries()) {
    const [, key, value = ''] =
      /^[+]?["']?([A-Za-z_][\w-]*)["']?[ \t]*:(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key) {
      parts = [bareValue(value)];
      found.set(key, { line: index + 1, parts });
    } else if (/^[ \t]+\S/.test(line)) {
      parts?.push(line.trim());
    }
  }
  return new Map(
    [...found].map(([key, { line, parts }]) => {
      const text = unsafeKeys.has(key) ? undefined : parts.join(' ').trim();
      return [key, { value: text, text, entries: undefined, line }];
    }),
  );
}

/** Removes quotes, or the indicator of a block text on the following lines. */
function bareValue(value: string): string {
  return value
    .trim()
    .replace(/^[|>][+-]?$/, '')
    .replace(/^(["'])(.*)\1$/, '$2');
}
