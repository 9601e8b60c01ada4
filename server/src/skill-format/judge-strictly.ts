import type { SkillFix } from '@knowhow/shared/skills/skill-fixes';
import type { SkillMessage } from '@knowhow/shared/skills/skill-messages';
import type { Diagnostic, Said } from '@knowhow/shared/skills/skills';
import { Lexer } from 'yaml';
import { diagnose } from './diagnostics.ts';
import { type Fields, parseYaml } from './parse-yaml.ts';
import { maxFrontmatterLength } from './read-skill-document.ts';

const dashes = '---';
const maxDescription = 1024;
/** In UTF-8, and with a carriage return in each line, the longest frontmatter that is read ends before. */
const maxHeadBytes = 4 * maxFrontmatterLength;

/**
 * What keeps the standard's own validator, `skills-ref`, from accepting a `SKILL.md` that the standard
 * allows: its YAML is stricter, and it ends the frontmatter at the first three dashes, wherever they stand.
 * One diagnostic at most; none for what is refused by the standard as well, or is too long to be read.
 */
export function judgeStrictly(bytes: Uint8Array): Diagnostic[] {
  const head = bytes.subarray(0, maxHeadBytes);
  const text = new TextDecoder().decode(head).replace(/\r\n?/g, '\n');
  const end = text.indexOf(dashes, dashes.length);
  if (!text.startsWith(dashes) || end < 0 || end > maxFrontmatterLength) {
    return [];
  }
  const frontmatter = text.slice(dashes.length, end);
  const isWhole = frontmatter.endsWith('\n') && /^[ \t]*(?:\n|$)/.test(text.slice(end + 3));
  const fault =
    refusedSign(frontmatter) ??
    refusedCharacter(frontmatter) ??
    (isWhole ? undefined : refusedCut(frontmatter)) ??
    refusedLength(frontmatter);
  return fault ? [diagnose('strict-refused', fault)] : [];
}

interface Fault {
  text: Extract<SkillMessage, `strict-${string}`>;
  fix: SkillFix;
  values?: Said['values'];
  line: number;
}

const signs: Readonly<Record<string, Fault['text']>> = {
  '[': 'strict-list',
  '{': 'strict-map',
  '&': 'strict-anchor',
  '*': 'strict-alias',
  '!': 'strict-tag',
};

/** Neither in quotes, nor in a comment or a block of text. */
const tab = /^(?:[^"'#\n][^\n]*)?\t/;

/** The first sign that its YAML does not have. */
function refusedSign(frontmatter: string): Fault | undefined {
  let line = 1;
  for (const lexeme of new Lexer().lex(frontmatter)) {
    const text = tab.test(lexeme) ? 'strict-tab' : signs[lexeme.charAt(0)];
    if (text !== undefined) {
      return { text, fix: 'strict-lines', line };
    }
    line += lexeme.split('\n').length - 1;
  }
  return undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unprintable = /[\u0000-\u0008\u000B-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/;

function refusedCharacter(frontmatter: string): Fault | undefined {
  const line = frontmatter.split('\n').findIndex((each) => unprintable.test(each)) + 1;
  return line === 0 ? undefined : { text: 'strict-control-characters', fix: 'remove-all', line };
}

/** What is left of a frontmatter that ends at three dashes in a value. */
function refusedCut(frontmatter: string): Fault | undefined {
  const fields = fieldsOf(frontmatter);
  return fields?.get('name')?.text && fields.get('description')?.text
    ? undefined
    : { text: 'strict-dashes', fix: 'strict-dashes', line: frontmatter.split('\n').length };
}

/** It counts the line end below a block of text, too. */
function refusedLength(frontmatter: string): Fault | undefined {
  const { text = '', line = 1 } = fieldsOf(frontmatter)?.get('description') ?? {};
  const isOver = [...text].length > maxDescription && [...text.trim()].length <= maxDescription;
  const values = { most: maxDescription };
  return isOver ? { text: 'strict-length', fix: 'shorten', values, line } : undefined;
}

/** Undefined for what is no YAML. */
function fieldsOf(frontmatter: string): Fields | undefined {
  try {
    return parseYaml(frontmatter, { uniqueKeys: true });
  } catch {
    return undefined;
  }
}
