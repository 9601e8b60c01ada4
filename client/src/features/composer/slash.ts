/** A text that ends with a `/name` being typed, after nothing but other ones. */
export interface SlashInput {
  before: string;
  query: string;
}

/** What is being looked for with `/`; undefined when the text is none of it. */
export function slashInput(text: string): SlashInput | undefined {
  const match = /^((?:\/\S+\s+)*)\/(\S*)$/.exec(text);
  return match ? { before: match[1] ?? '', query: match[2] ?? '' } : undefined;
}

/**
 * Takes the skills off the beginning of a message: `/a /b do this` is `do this` with `a` and `b`.
 * `find` gives the skill's own name for what was typed, or undefined when there is none.
 */
export function takeSkills(text: string, find: (typed: string) => string | undefined) {
  const skills = new Set<string>();
  let message = text.trimStart();
  for (;;) {
    const match = /^\/(\S+)(?:\s+|$)/.exec(message);
    const skill = match?.[1] === undefined ? undefined : find(match[1]);
    if (!match || skill === undefined) {
      return { skills: [...skills], message };
    }
    skills.add(skill);
    message = message.slice(match[0].length);
  }
}
