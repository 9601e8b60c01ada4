/** A `/name` that is being typed, and the text around it. */
export interface SlashInput {
  before: string;
  /** May be several words. */
  query: string;
  /** The text after the name at the caret. */
  after: string;
  /** Whether other text precedes it: then it may be meant as text. */
  isInText: boolean;
}

/** The skills at the beginning of a text. */
export interface ExtractedSkills {
  skills: string[];
  /** The text after them. */
  message: string;
  /** A following `/name` that is not a skill. */
  unknown: string | undefined;
}

/** Longer input is a message, not a name. */
const longestQuery = 80;

/**
 * The `/name` at the caret, if any. The `/` must be at the start of a line or after a space, and the only one in
 * its word: otherwise it is a path.
 */
export function slashInput(text: string, caret = text.length): SlashInput | undefined {
  const match = /(?:^|\s)\/([^/\n]*)$/.exec(text.slice(0, caret));
  const query = match?.[1] ?? '';
  const rest = /^\S*/.exec(text.slice(caret))?.[0] ?? '';
  if (!match || query.length > longestQuery || /^\s/.test(query) || rest.includes('/')) {
    return undefined;
  }
  const before = text.slice(0, caret - query.length - 1);
  return {
    before,
    query,
    after: text.slice(caret).replace(/^[^\s.,;!?]*/, ''),
    isInText: !/^(?:\/[^\s/]+\s+)*$/.test(before),
  };
}

/** The text with the typed query replaced, and the new caret position. */
export function replaceSlashInput(
  { before, after }: Pick<SlashInput, 'before' | 'after'>,
  inserted: string,
): { text: string; caret: number } {
  const isGone = inserted === '' && /(?:^|\s)$/.test(before);
  return {
    text: before + inserted + (isGone ? after.replace(/^ /, '') : after),
    caret: before.length + inserted.length,
  };
}

/** The complete name at the beginning of a query, if any. */
export function firstWord(query: string): string {
  return /^\S*/.exec(query)?.[0] ?? '';
}

/** Punctuation after a name ends it: "use /meeting-notes." */
const namePattern = /^(.*?)[.,;:!?…。，、！？]*$/;
/** Maximum number of names looked up in the middle of a message. */
const maxNamesInText = 5;

/** Whether a text may name a skill with `/`. */
export function hasSlashName(text: string): boolean {
  return /(?:^|\s)\/[^\s/]/.test(text);
}

/**
 * Extracts the skills at the beginning of a message: `/a /b do this` is `do this` with `a` and `b`. A skill
 * named later counts, too, and its name stays in the sentence. `find` returns the skill's canonical name for the
 * input, or undefined. A word with another `/` is a path, not a skill.
 */
export async function extractSkills(
  text: string,
  find: (typed: string) => Promise<string | undefined>,
): Promise<ExtractedSkills> {
  const skills = new Set<string>();
  let message = text.trimStart();
  for (;;) {
    const [all = '', token] = /^\/([^\s/]+)(?:\s+|$)/.exec(message) ?? [];
    const typed = token === undefined ? undefined : parseName(token);
    const skill = typed === undefined ? undefined : await find(typed);
    if (skill === undefined) {
      const named = typed === undefined ? await skillsInText(message, find) : [];
      return { skills: [...new Set([...skills, ...named])], message, unknown: typed };
    }
    skills.add(skill);
    message = message.slice(all.length);
  }
}

function parseName(token: string): string {
  return namePattern.exec(token)?.[1] ?? token;
}

/** If the lookup fails, the text is sent as a message anyway. */
async function skillsInText(
  text: string,
  find: (typed: string) => Promise<string | undefined>,
): Promise<string[]> {
  const names = [...text.matchAll(/(?<=\s)\/([^\s/]+)(?=\s|$)/g)].map(([, token = '']) =>
    parseName(token),
  );
  const found = await Promise.all(
    [...new Set(names)].slice(0, maxNamesInText).map((name) => find(name).catch(() => undefined)),
  );
  return found.filter((name) => name !== undefined);
}
