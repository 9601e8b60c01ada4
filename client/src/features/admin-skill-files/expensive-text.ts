/** Longer passages take the editor's Markdown parser seconds at every keystroke. */
const longestPassage = 10_000;
/** If longer lines are wrapped, the editor measures them repeatedly. */
const longestLine = 50_000;

/** Whether a Markdown text has a passage so long that highlighting could freeze the page. */
export function isExpensiveToHighlight(text: string): boolean {
  return text.split(/\n[ \t\r]*\n/).some(({ length }) => length > longestPassage);
}

/** Whether a text has a line so long that wrapping could freeze the page. */
export function isExpensiveToWrap(text: string): boolean {
  return text.split('\n').some(({ length }) => length > longestLine);
}
