/** Maximum number of highlights. */
const mostMarked = 200;

/** Highlights exactly matching words in a message; returns the first position. */
export function highlightWords(message: HTMLElement, words: readonly string[]): Range | undefined {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
  while (words.length > 0 && ranges.length < mostMarked && texts.nextNode()) {
    const node = texts.currentNode;
    const text = node.textContent ?? '';
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  // If the browser does not support it, the message as a whole is still highlighted.
  if (typeof Highlight === 'function') {
    CSS.highlights.set('found', new Highlight(...ranges));
  }
  return ranges[0];
}
