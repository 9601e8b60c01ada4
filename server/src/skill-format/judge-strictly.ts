import type { Diagnostic } from '@knowhow/shared/skills';
import { Lexer } from 'yaml';
import { diagnose } from './diagnostics.ts';
import { type Fields, parseYaml } from './parse-yaml.ts';

const dashes = '---';
const maxDescription = 1024;

/**
 * What keeps the standard's own validator, `skills-ref`, from accepting a `SKILL.md` that the standard
 * allows: its YAML is stricter, and it ends the frontmatter at the first three dashes, wherever they stand.
 * One diagnostic at most; none for what is refused by the standard as well.
 */
export function judgeStrictly(bytes: Uint8Array): Diagnostic[] {
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n');
  const end = text.indexOf(dashes, dashes.length);
  if (!text.startsWith(dashes) || end < 0) {
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
  message: string;
  fix: string;
  line: number;
}

const signs: Readonly<Record<string, string>> = {
  '[': 'a list in brackets',
  '{': 'a map in braces',
  '&': 'an anchor',
  '*': 'an alias',
  '!': 'a tag',
};

/** Neither in quotes, nor in a comment or a block of text. */
const tab = /^(?:[^"'#\n][^\n]*)?\t/;

/** The first sign that its YAML does not have. */
function refusedSign(frontmatter: string): Fault | undefined {
  let line = 1;
  for (const lexeme of new Lexer().lex(frontmatter)) {
    const what = tab.test(lexeme) ? 'a tab' : signs[lexeme.charAt(0)];
    if (what !== undefined) {
      const fix = 'Write lists and maps in lines of their own, and a text in quotes.';
      return { message: `The standard's own validator refuses ${what}.`, fix, line };
    }
    line += lexeme.split('\n').length - 1;
  }
  return undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unprintable = /[\u0000-\u0008\u000B-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]/;

function refusedCharacter(frontmatter: string): Fault | undefined {
  const line = frontmatter.split('\n').findIndex((each) => unprintable.test(each)) + 1;
  const message = "The standard's own validator refuses control characters.";
  return line === 0 ? undefined : { message, fix: 'Remove them.', line };
}

/** What is left of a frontmatter that ends at three dashes in a value. */
function refusedCut(frontmatter: string): Fault | undefined {
  const fields = fieldsOf(frontmatter);
  const message = `The standard's own validator ends the frontmatter at the first "${dashes}".`;
  return fields?.get('name')?.text && fields.get('description')?.text
    ? undefined
    : { message, fix: 'Write other dashes there.', line: frontmatter.split('\n').length };
}

/** It counts the line end below a block of text, too. */
function refusedLength(frontmatter: string): Fault | undefined {
  const { text = '', line = 1 } = fieldsOf(frontmatter)?.get('description') ?? {};
  const isOver = [...text].length > maxDescription && [...text.trim()].length <= maxDescription;
  const message = `The description has more than ${maxDescription} characters with the line end, which the standard's own validator counts.`;
  return isOver ? { message, fix: 'Shorten it.', line } : undefined;
}

/** Undefined for what is no YAML. */
function fieldsOf(frontmatter: string): Fields | undefined {
  try {
    return parseYaml(frontmatter, { uniqueKeys: true });
  } catch {
    return undefined;
  }
}
