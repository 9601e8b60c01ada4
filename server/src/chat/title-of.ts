const longest = 60;

/** A conversation's first title: the beginning of its first message, cut at a word. */
export function titleOf(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  const points = [...line];
  if (points.length <= longest) {
    return line;
  }
  const cut = points.slice(0, longest).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > longest / 2 ? cut.slice(0, space) : cut}…`;
}
