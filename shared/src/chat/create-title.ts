const maxLength = 60;
/** Only this much is read: a title does not justify processing all of a long message. */
const maxRead = 1000;

/** A conversation's initial title: the beginning of its first message, truncated at a word. */
export function createTitle(message: string): string {
  const beginning = message.trim().slice(0, maxRead);
  const line = beginning.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  const points = [...line];
  if (points.length <= maxLength) {
    return line;
  }
  const cut = points.slice(0, maxLength).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > maxLength / 2 ? cut.slice(0, space) : cut}…`;
}
