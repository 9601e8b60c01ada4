/** Further blocks are merged: each is rendered on its own. An answer of 200 kB has some 1,200. */
const mostBlocks = 2_000;

/**
 * Splits Markdown at blank lines between top-level blocks, so that finished blocks are not parsed again while
 * the rest streams. A collapsible section is one block. Joining the blocks with line breaks yields the text.
 */
export function splitBlocks(markdown: string): string[] {
  const blocks: string[][] = [[]];
  let fence: string | undefined;
  let afterBlank = false;
  let inList = false;
  let folds = 0;

  for (const line of markdown.split('\n')) {
    const isBlank = line.trim() === '';
    const isTopLevel = !isBlank && fence === undefined && folds === 0 && !/^\s/.test(line);
    const isMore = isTopLevel && afterBlank && !(inList && isListItem(line));
    if (isMore && blocks.length < mostBlocks) {
      blocks.push([]);
    }
    if (isTopLevel) {
      inList = isListItem(line) || (inList && !afterBlank);
    }
    blocks.at(-1)?.push(line);
    fence = fenceAfter(line, fence);
    folds = fence === undefined ? countOpenDetails(line, folds) : folds;
    afterBlank = isBlank && fence === undefined;
  }
  return blocks.map((lines) => lines.join('\n'));
}

/** The open fence after a line: the previous one, a new one, or none. */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (open === undefined) {
    return mark;
  }
  const closes = mark?.startsWith(open) && line.trim() === mark;
  return closes ? undefined : open;
}

/** The number of open `<details>` after a line. */
function countOpenDetails(line: string, open: number): number {
  if (open === 0 && !/^ {0,3}<details/i.test(line)) {
    return 0;
  }
  const count = (tag: RegExp) => line.match(tag)?.length ?? 0;
  return Math.max(0, open + count(/<details\b/gi) - count(/<\/details>/gi));
}

/** Whether there are link or footnote definitions, which apply to the whole text: it cannot be split. */
export function hasDefinitions(markdown: string): boolean {
  return /^ {0,3}\[[^\]\n]+\]:/m.test(markdown);
}

function isListItem(line: string): boolean {
  return /^([-*+]|\d{1,9}[.)])\s/.test(line);
}
