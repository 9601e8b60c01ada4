/** The instructions of a `SKILL.md`: the text below its frontmatter. */
export function withoutFrontmatter(text: string): string {
  const frontmatter = /^\s*(?:<!--[\s\S]*?-->\s*)?---[ \t]*\n(?:[\s\S]*?\n)?---[ \t]*(?:\n|$)/;
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(frontmatter, '')
    .trimStart();
}
