import type { Diagnostic } from '@knowhow/shared/skills';
import matter from 'gray-matter';
import { decodeText } from './decode-text.ts';
import { diagnose } from './diagnostics.ts';
import { findFrontmatter } from './find-frontmatter.ts';
import type { Fields } from './parse-yaml.ts';
import { parseYamlFields } from './yaml-fields.ts';

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
/** Cannot stand in a frontmatter by accident, so gray-matter splits where we found the end. */
const end = '--- end of frontmatter \u0001';

/** bytes → text → frontmatter and body. Never throws: what is wrong is told in `diagnostics`. */
export function readSkillDocument(bytes: Uint8Array): SkillDocument {
  const diagnostics: Diagnostic[] = [];
  const text = decodeText(bytes, diagnostics);
  if (text.trim() === '') {
    diagnostics.push(diagnose('empty'));
  }
  const lines = text.split('\n');
  const found = findFrontmatter(lines, diagnostics);
  if (!found) {
    return { ...bodyFrom(lines, 0), fields: new Map(), hasFrontmatter: false, diagnostics };
  }
  const frontmatter = lines.slice(found.first, found.end).join('\n');
  const fields = parseFrontmatter(frontmatter, found.first, diagnostics);
  const { body, bodyEnd } = found;
  return { ...bodyFrom(lines.slice(0, bodyEnd), body), fields, hasFrontmatter: true, diagnostics };
}

function bodyFrom(lines: string[], first: number): { body: string; bodyLine: number } {
  return { body: lines.slice(first).join('\n').replace(/^\n+/, ''), bodyLine: first + 1 };
}

/** @param offset lines of the file before the text */
function parseFrontmatter(text: string, offset: number, diagnostics: Diagnostic[]): Fields {
  if (text.length > maxFrontmatterLength) {
    diagnostics.push(diagnose('frontmatter-too-long', { line: 1 }));
    return new Map();
  }
  let fields: Fields = new Map();
  const engine = {
    parse: (yaml: string) => {
      // gray-matter leaves the end of the opening line in front.
      fields = parseYamlFields(yaml.replace(/^\n/, ''), offset, diagnostics);
      return Object.fromEntries([...fields].map(([key, field]) => [key, field.value]));
    },
  };
  // With options gray-matter keeps no cache, so no two callers ever share a document.
  matter(`---\n${text}\n${end}\n`, {
    language: 'yaml',
    delimiters: ['---', end],
    engines: { yaml: engine, ...refused },
  });
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
