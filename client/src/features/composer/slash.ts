/** A text that ends with a `/name` being typed, after nothing but other ones. */
export interface SlashInput {
  before: string;
  /** May be several words. */
  query: string;
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

/** What is being looked for with `/`; undefined when the text is none of it. */
export function slashInput(text: string): SlashInput | undefined {
  const match = /^((?:\/\S+\s+)*)\/([^/\n]*)$/.exec(text);
  const [, before = '', query = ''] = match ?? [];
  return match && query.length <= longestQuery && !/^\s/.test(query)
    ? { before, query }
    : undefined;
}

/** The name that may be typed out at the beginning of what is looked for. */
export function firstWord(query: string): string {
  return /^\S*/.exec(query)?.[0] ?? '';
}

/**
 * Takes the skills off the beginning of a message: `/a /b do this` is `do this` with `a` and `b`.
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
    const [all = '', typed] = /^\/([^\s/]+)(?:\s+|$)/.exec(message) ?? [];
    const skill = typed === undefined ? undefined : await find(typed);
    if (skill === undefined) {
      return { skills: [...skills], message, unknown: typed };
    }
    skills.add(skill);
    message = message.slice(all.length);
  }
}
