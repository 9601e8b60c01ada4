/** More say nothing more. */
const mostMarked = 200;

/** Marks words where a message shows them, spelled like this, and nothing else; gives the first place. */
export function markWords(message: HTMLElement, words: readonly string[]): Range | undefined {
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
  // Where a browser cannot, the message as a whole is marked all the same.
  if (typeof Highlight === 'function') {
    CSS.highlights.set('found', new Highlight(...ranges));
  }
  return ranges[0];
}
