import type { SkillFix } from '@knowhow/shared/skills/skill-fixes';
import type { SkillMessage } from '@knowhow/shared/skills/skill-messages';
import type { Diagnostic, SkillMessageText } from '@knowhow/shared/skills/skills';
import { Lexer } from 'yaml';
import { diagnose } from './diagnostics.ts';
import { type Fields, parseYaml } from './parse-yaml.ts';
import { maxFrontmatterLength } from './read-skill-document.ts';

const dashes = '---';
const maxDescription = 1024;
/** Maximum size of a readable frontmatter in UTF-8, with a carriage return in each line. */
const maxHeadBytes = 4 * maxFrontmatterLength;

/**
 * Why the standard's own validator, `skills-ref`, rejects a `SKILL.md` that the standard allows:
 * its YAML is stricter, and it ends the frontmatter at the first three dashes anywhere. At most one
 * diagnostic; none for what the standard rejects as well, or what is too long.
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
  values?: SkillMessageText['values'];
  line: number;
}

const signs: Readonly<Record<string, Fault['text']>> = {
  '[': 'strict-list',
  '{': 'strict-map',
  '&': 'strict-anchor',
  '*': 'strict-alias',
  '!': 'strict-tag',
};

/** Outside of quotes, comments and block texts. */
const tab = /^(?:[^"'#\n][^\n]*)?\t/;

/** The first sign that its YAML does not support. */
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

/** Checks a frontmatter that is truncated at three dashes in a value. */
function refusedCut(frontmatter: string): Fault | undefined {
  const fields = fieldsOf(frontmatter);
  return fields?.get('name')?.text && fields.get('description')?.text
    ? undefined
    : { text: 'strict-dashes', fix: 'strict-dashes', line: frontmatter.split('\n').length };
}

/** The validator also counts the line end of a block text. */
function refusedLength(frontmatter: string): Fault | undefined {
  const { text = '', line = 1 } = fieldsOf(frontmatter)?.get('description') ?? {};
  const isOver = [...text].length > maxDescription && [...text.trim()].length <= maxDescription;
  const values = { most: maxDescription };
  return isOver ? { text: 'strict-length', fix: 'shorten', values, line } : undefined;
}

/** Undefined for invalid YAML. */
function fieldsOf(frontmatter: string): Fields | undefined {
  try {
    return parseYaml(frontmatter, { uniqueKeys: true });
  } catch {
    return undefined;
  }
}
