/** The text of a `SKILL.md`. */
export function skillFile(
  name: string,
  description: string,
  body = `# ${name}\n\n1. Do the first thing.\n2. Do the second thing.\n`,
): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}
