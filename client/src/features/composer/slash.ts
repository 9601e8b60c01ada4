/** A `/name` that is being typed, and the text around it. */
export interface SlashInput {
  before: string;
  /** May be several words. */
  query: string;
  /** What follows the name in which the caret is. */
  after: string;
  /** Whether more than other names stands before it: then it may be meant as text. */
  isInText: boolean;
}

/** What skills a text begins with. */
export interface TakenSkills {
  skills: string[];
  /** What follows them. */
  message: string;
  /** What follows as `/name` and is no skill. */
  unknown: string | undefined;
}

/** A longer one is a message that is being written. */
const longestQuery = 80;

/**
 * What is being looked for with `/` at the caret; undefined when nothing is. The `/` stands at the start
 * of a line or after a blank, and no other one in the word: that is a path.
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

/** The text with something in the place of what was typed to find it, and where the caret is then. */
export function inPlaceOf(
  { before, after }: Pick<SlashInput, 'before' | 'after'>,
  inserted: string,
): { text: string; caret: number } {
  const isGone = inserted === '' && /(?:^|\s)$/.test(before);
  return {
    text: before + inserted + (isGone ? after.replace(/^ /, '') : after),
    caret: before.length + inserted.length,
  };
}

/** The name that may be typed out at the beginning of what is looked for. */
export function firstWord(query: string): string {
  return /^\S*/.exec(query)?.[0] ?? '';
}

/** Punctuation behind a name ends it: "use /meeting-notes." */
const namePattern = /^(.*?)[.,;:!?…。，、！？]*$/;
/** Names in the middle of a message that are looked up. */
const maxNamesInText = 5;

/** Whether a text may name a skill with `/`. */
export function hasSlashName(text: string): boolean {
  return /(?:^|\s)\/[^\s/]/.test(text);
}

/**
 * Takes the skills off the beginning of a message: `/a /b do this` is `do this` with `a` and `b`. A skill that is named
 * later counts too, and its name stays in the sentence.
 * `find` gives the skill's own name for what was typed, or undefined when there is none. What holds
 * another `/` is a path and not meant as a skill.
 */
export async function takeSkills(
  text: string,
  find: (typed: string) => Promise<string | undefined>,
): Promise<TakenSkills> {
  const skills = new Set<string>();
  let message = text.trimStart();
  for (;;) {
    const [all = '', token] = /^\/([^\s/]+)(?:\s+|$)/.exec(message) ?? [];
    const typed = token === undefined ? undefined : nameIn(token);
    const skill = typed === undefined ? undefined : await find(typed);
    if (skill === undefined) {
      const named = typed === undefined ? await skillsInText(message, find) : [];
      return { skills: [...new Set([...skills, ...named])], message, unknown: typed };
    }
    skills.add(skill);
    message = message.slice(all.length);
  }
}

function nameIn(token: string): string {
  return namePattern.exec(token)?.[1] ?? token;
}

/** A failed look-up names no skill: the text is a message all the same. */
async function skillsInText(
  text: string,
  find: (typed: string) => Promise<string | undefined>,
): Promise<string[]> {
  const names = [...text.matchAll(/(?<=\s)\/([^\s/]+)(?=\s|$)/g)].map(([, token = '']) =>
    nameIn(token),
  );
  const found = await Promise.all(
    [...new Set(names)].slice(0, maxNamesInText).map((name) => find(name).catch(() => undefined)),
  );
  return found.filter((name) => name !== undefined);
}
