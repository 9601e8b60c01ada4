import type { Diagnostic } from '@knowhow/shared/skills';
import matter from 'gray-matter';
import { type Fields, parseYamlFields, YamlError } from './yaml-fields.ts';

/** A `SKILL.md` taken apart. Lines count from 1 in the file. */
export interface SkillDocument {
  fields: Fields;
  hasFrontmatter: boolean;
  body: string;
  /** Line at which the body begins. */
  bodyLine: number;
  diagnostics: Diagnostic[];
}

const maxFrontmatterLength = 64 * 1024;
const fence = /^---[ \t]*$/;
/** Cannot stand in a frontmatter by accident, so gray-matter splits where we found the end. */
const end = '--- end of frontmatter \u0001';

/** bytes → text → frontmatter and body. Never throws: what is wrong is told in `diagnostics`. */
export function readSkillDocument(bytes: Uint8Array): SkillDocument {
  const diagnostics: Diagnostic[] = [];
  const lines = decode(bytes, diagnostics).replace(/\r\n?/g, '\n').split('\n');
  const closing = fence.test(lines[0] ?? '')
    ? lines.findIndex((line, index) => index > 0 && fence.test(line))
    : -1;
  if (closing < 0) {
    diagnostics.push(missingFrontmatter(lines[0] ?? ''));
    return { ...bodyFrom(lines, 0), fields: new Map(), hasFrontmatter: false, diagnostics };
  }
  const frontmatter = lines.slice(1, closing).join('\n');
  const fields = parseFrontmatter(frontmatter, diagnostics);
  return { ...bodyFrom(lines, closing + 1), fields, hasFrontmatter: true, diagnostics };
}

function bodyFrom(lines: string[], first: number): { body: string; bodyLine: number } {
  return { body: lines.slice(first).join('\n').replace(/^\n+/, ''), bodyLine: first + 1 };
}

/** UTF-8, else windows-1252; no byte order mark, no control characters but tab and line ends. */
function decode(bytes: Uint8Array, diagnostics: Diagnostic[]): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be removed.
  const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(controls, '');
  } catch {
    diagnostics.push({
      code: 'encoding',
      severity: 'warning',
      message: 'The file is not UTF-8; it was read as windows-1252.',
      fix: 'Save it as UTF-8.',
    });
    return new TextDecoder('windows-1252').decode(bytes).replace(controls, '');
  }
}

function missingFrontmatter(firstLine: string): Diagnostic {
  const language = /^---[ \t]*([A-Za-z]\w*)/.exec(firstLine)?.[1];
  if (language) {
    return {
      code: 'frontmatter-engine-refused',
      severity: 'error',
      message: `Frontmatter in "${language}" is refused; nothing of it was run.`,
      line: 1,
      fix: 'Write the frontmatter in YAML, between two lines of three dashes.',
    };
  }
  return {
    code: 'frontmatter-missing',
    severity: 'error',
    message: 'There is no frontmatter.',
    line: 1,
    fix: 'Begin the file with "---", then name: and description:, then "---".',
  };
}

function parseFrontmatter(text: string, diagnostics: Diagnostic[]): Fields {
  if (text.length > maxFrontmatterLength) {
    diagnostics.push({
      code: 'frontmatter-too-long',
      severity: 'error',
      message: `The frontmatter has ${text.length} characters; at most ${maxFrontmatterLength} are read.`,
      line: 1,
      fix: 'Move long texts into the body.',
    });
    return new Map();
  }
  let fields: Fields = new Map();
  const engine = {
    parse: (yaml: string) => {
      // gray-matter leaves the end of the opening line in front.
      fields = parseYamlFields(yaml.replace(/^\n/, ''), diagnostics);
      return Object.fromEntries([...fields].map(([key, field]) => [key, field.value]));
    },
  };
  try {
    // With options gray-matter keeps no cache, so no two callers ever share a document.
    matter(`---\n${text}\n${end}\n`, {
      language: 'yaml',
      delimiters: ['---', end],
      engines: { yaml: engine, ...refused },
    });
  } catch (error) {
    const line = error instanceof YamlError ? error.line : undefined;
    diagnostics.push({
      code: 'yaml-invalid',
      severity: 'error',
      message: 'The frontmatter is not valid YAML.',
      line: (line ?? 1) + 1,
      fix: 'Mend this line; put values that hold ": " in quotes.',
    });
  }
  return fields;
}

function refuse(): never {
  throw new Error('Only YAML frontmatter is read.');
}

/** gray-matter would evaluate `javascript` frontmatter: every engine but ours throws. */
const refused = Object.fromEntries(
  ['javascript', 'js', 'json', 'toml', 'coffee', 'coffeescript', 'cson'].map((language) => [
    language,
    { parse: refuse, stringify: refuse },
  ]),
);
