/** Longer ones take the editor's reader of Markdown seconds, at every key. */
const longestPassage = 10_000;
/** Where longer ones are wrapped, the editor measures them again and again. */
const longestLine = 50_000;

/** Whether a Markdown text has a passage so long that colouring it could stop the page. */
export function isHardToColour(text: string): boolean {
  return text.split(/\n[ \t\r]*\n/).some(({ length }) => length > longestPassage);
}

/** Whether a text has a line so long that wrapping it could stop the page. */
export function isHardToWrap(text: string): boolean {
  return text.split('\n').some(({ length }) => length > longestLine);
}
