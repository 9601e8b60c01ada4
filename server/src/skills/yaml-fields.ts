import type { Diagnostic } from '@knowhow/shared/skills';
import { parseDocument } from 'yaml';
import { type DiagnosticCode, diagnose } from './diagnostics.ts';
import { type Fields, parseYaml, YamlError } from './parse-yaml.ts';

/** What is tried in turn, stopping at the first that works; each leaves its diagnostic. */
const repairs: { code: DiagnosticCode; mend: (source: string) => string }[] = [
  { code: 'yaml-duplicate-keys', mend: (source) => source },
  { code: 'yaml-tabs', mend: (source) => source.replaceAll('\t', '  ') },
  { code: 'yaml-quoted', mend: (source) => quotePlainValues(source.replaceAll('\t', '  ')) },
];

/**
 * The fields of a frontmatter. What YAML refuses is mended as far as can be, and in the end read line
 * by line. Never throws.
 *
 * @param offset lines of the file before the frontmatter; lines of fields count in the file
 */
export function parseYamlFields(source: string, offset: number, diagnostics: Diagnostic[]): Fields {
  const strict = attempt(source, true);
  if (strict instanceof Map) {
    return shifted(strict, offset);
  }
  const line = offset + strict.line;
  for (const { code, mend } of repairs) {
    const fields = attempt(mend(source), false);
    if (fields instanceof Map) {
      diagnostics.push(diagnose(code, { line }));
      return shifted(fields, offset);
    }
  }
  diagnostics.push(diagnose('yaml-invalid', { line }));
  return shifted(scanLines(source), offset);
}

function attempt(source: string, uniqueKeys: boolean): Fields | { line: number } {
  try {
    return parseYaml(source, { uniqueKeys });
  } catch (error) {
    // Deep nesting overflows the stack, aliases that multiply throw a plain error.
    return { line: error instanceof YamlError ? error.line : 1 };
  }
}

function shifted(fields: Fields, offset: number): Fields {
  for (const field of fields.values()) {
    field.line += offset;
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

/** A list, map, alias or anchor that YAML reads by itself need not be quoted. */
function isWellFormed(value: string): boolean {
  return /^[[{&*!]/.test(value) && parseDocument(value, { logLevel: 'silent' }).errors.length === 0;
}

/** The last resort: every line `key: value` at column 0, with its continuation lines. */
function scanLines(source: string): Fields {
  const fields: Fields = new Map();
  let last: { text: string } | undefined;
  for (const [index, line] of source.split('\n').entries()) {
    const [, key, value = ''] =
      /^[+]?["']?([A-Za-z_][\w-]*)["']?[ \t]*:(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key && !['__proto__', 'constructor', 'prototype'].includes(key)) {
      const text = value
        .trim()
        .replace(/^[|>][+-]?$/, '')
        .replace(/^(["'])(.*)\1$/, '$2');
      const field = { value: text, text, entries: undefined, line: index + 1 };
      fields.set(key, field);
      last = field;
    } else if (last && /^[ \t]+\S/.test(line)) {
      last.text = `${last.text} ${line.trim()}`.trim();
    }
  }
  return fields;
}
