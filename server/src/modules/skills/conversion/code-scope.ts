import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { isRecord } from '@knowhow/shared/is-record';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, type PackedFile } from '@knowhow/skill-format';
import { originalPath } from './make-skill.ts';
import { readSourceJson, textsIn } from './read-source-json.ts';
import { type CodeImport, isVariableName, maxImports } from './skill-tool.ts';
import { extractFence, findSection, itemsIn, type TypedDocument } from './typed-document.ts';

/** Variables available to generated code in addition to its input. */
export interface CodeScope {
  imports?: CodeImport[];
  context?: Record<string, unknown>;
}

/** Maximum length as JSON, since the sandbox receives it with every call. */
const maxContext = 64 * 1024;

/**
 * The `imports` and `context` of a code skill, from `## Imports` and `## Context` or the config.
 * Invalid entries are dropped with a diagnostic. A `## Context` in prose is part of the
 * instructions.
 */
export function readCodeScope(
  document: TypedDocument,
  config: Readonly<Record<string, unknown>> | undefined,
  files: readonly PackedFile[],
): { scope: CodeScope; diagnostics: Diagnostic[] } {
  const context = readContext(document, config);
  const written = importsIn(document, config);
  const read = written.slice(0, maxImports).map((each) => readImport(each, files));
  const imports = read.flatMap((each) => ('imports' in each ? each.imports : []));
  const unavailable = read.flatMap((each) => ('unavailable' in each ? each.unavailable : []));
  return {
    scope: {
      ...(imports.length > 0 ? { imports: imports.slice(0, maxImports) } : {}),
      ...(context && 'value' in context ? { context: context.value } : {}),
    },
    diagnostics: [
      ...(context && 'reason' in context
        ? [diagnose('typed-context-invalid', { values: { reason: context.reason } })]
        : []),
      ...unavailable.map((module) => diagnose('typed-import-unavailable', { values: { module } })),
    ],
  };
}

type Context = { value: Record<string, unknown> } | { reason: string };

function readContext(
  document: TypedDocument,
  config: Readonly<Record<string, unknown>> | undefined,
): Context | undefined {
  const section = findSection(document, 'context');
  const isData = section !== undefined && /^(?:\{|`{3}|~{3})/.test(section.text);
  if (isData) {
    const bytes = Buffer.from(extractFence(section));
    const read = readSourceJson({ path: '', bytes, executable: false });
    return 'value' in read ? checkContext(read.value) : read;
  }
  return config?.context === undefined ? undefined : checkContext(config.context);
}

function checkContext(value: unknown): Context {
  if (!isRecord(value)) {
    return { reason: 'it is not an object.' };
  }
  const invalidName = Object.keys(value).find((name) => !isVariableName(name));
  if (invalidName !== undefined) {
    return { reason: `"${invalidName.slice(0, 100)}" cannot be the name of a variable.` };
  }
  return JSON.stringify(value).length > maxContext
    ? { reason: `it has more than ${maxContext} characters.` }
    : { value };
}

/** As written: a module, or a line of code. */
function importsIn(
  document: TypedDocument,
  config: Readonly<Record<string, unknown>> | undefined,
): string[] {
  const section = findSection(document, 'imports');
  if (!section) {
    return textsIn(config?.imports);
  }
  const isCode = /^(?:`{3}|~{3})/m.test(section.text);
  const lines = isCode ? extractFence(section).split('\n') : itemsIn(section).map(withoutWords);
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('//'));
}

/** The name in a list item, without its description. */
function withoutWords(item: string): string {
  const end = item.search(/\s[-–—]\s/);
  return /^`([^`]+)`/.exec(item)?.[1] ?? (end < 0 ? item : item.slice(0, end));
}

/** A statement up to its module, and the module. What comes before it has each blank once. */
const statement = /^(?<head>[^'"]{1,1000})(['"])(?<module>[^'"]{1,300})\2/;
const importHead = /^import (?<names>.+?) ?from$/;
const requireHead = /^(?:const|let|var) (?<names>.+?) ?= ?(?:require|await import)\($/;

/** The names and the module of a statement, in linear time; undefined for anything else. */
function parseStatement(text: string): { names: string; module: string } | undefined {
  const { head = '', module = '' } = statement.exec(text)?.groups ?? {};
  const plain = head.replace(/\s+/g, ' ').trim();
  const names = (importHead.exec(plain) ?? requireHead.exec(plain))?.groups?.names;
  return names === undefined ? undefined : { names, module };
}

function readImport(
  written: string,
  files: readonly PackedFile[],
): { imports: CodeImport[] } | { unavailable: string } {
  const text = written.slice(0, 2000);
  const parsed = parseStatement(text);
  const module = parsed?.module ?? text;
  const from = moduleFor(module, files);
  const isImport = text.startsWith('import');
  const names = parsed ? namesIn(parsed.names, isImport) : [{ as: variableFor(module) }];
  const isUsable = names.length > 0 && names.every(({ as }) => isVariableName(as));
  return from === undefined || !isUsable
    ? { unavailable: module.slice(0, 300) }
    : { imports: names.map((name) => ({ module: from, ...name })) };
}

/** Parses `fs`, `* as fs`, `{ readFile, join as path }` or `fs, { readFile }`. */
function namesIn(written: string, isImport: boolean): Omit<CodeImport, 'module'>[] {
  const [, outer = '', inner = ''] = /^([^{}]*)(?:\{([^{}]*)\})?$/.exec(written) ?? [];
  const named = inner.split(',').flatMap((each) => {
    const [name = '', as = name] = each.trim().split(/\s+as\s+|\s*:\s*/);
    return name === '' ? [] : [{ name, as }];
  });
  const whole = outer.split(',').flatMap((each) => {
    const as = each.trim().replace(/^\*\s*as\s+/, '');
    const isDefault = isImport && as === each.trim();
    return as === '' ? [] : [isDefault ? { name: 'default', as } : { as }];
  });
  return [...whole, ...named];
}

/** A Node.js module or a file of the skill; undefined for anything else. */
function moduleFor(module: string, files: readonly PackedFile[]): string | undefined {
  if (isBuiltin(module)) {
    return module.startsWith('node:') ? module : `node:${module}`;
  }
  const path = posix.normalize(module.replaceAll('\\', '/')).replace(/^\.\//, '');
  const wanted = ['', '.mjs', '.js', '.cjs', '.json', '/index.mjs', '/index.js'].map(
    (ending) => path + ending,
  );
  const file = wanted.find(
    (name) => /\.(?:[cm]?js|json)$/.test(name) && files.some((each) => each.path === name),
  );
  return file && originalPath(file);
}

/** `node:fs/promises` becomes `fsPromises`, and `./tax-rates.mjs` becomes `taxRates`. */
function variableFor(module: string): string {
  const words = isBuiltin(module)
    ? module.replace(/^node:/, '')
    : posix.basename(module).replace(/\.[a-z]+$/i, '');
  return words.replace(/[^\p{ID_Continue}$]+(.?)/gu, (_, next: string) => next.toUpperCase());
}
