const longest = 60;
/** So much is looked at: a title is no reason to go through all of a long message. */
const mostRead = 1000;

/** A conversation's first title: the beginning of its first message, cut at a word. */
export function titleOf(message: string): string {
  const beginning = message.trim().slice(0, mostRead);
  const line = beginning.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const points = [...line];
  if (points.length <= longest) {
    return line;
  }
  const cut = points.slice(0, longest).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > longest / 2 ? cut.slice(0, space) : cut}…`;
}
