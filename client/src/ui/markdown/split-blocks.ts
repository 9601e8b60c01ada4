/** More are one: each is rendered by itself. An answer of 200 kB has some 1,200. */
const mostBlocks = 2_000;

/**
 * Splits Markdown at blank lines between its top-level blocks, so that what is settled needs no
 * second look while the rest still streams. What can be folded is one block. Joined by line breaks, the blocks
 * are the text again.
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
    folds = fence === undefined ? foldsAfter(line, folds) : folds;
    afterBlank = isBlank && fence === undefined;
  }
  return blocks.map((lines) => lines.join('\n'));
}

/** The fence that is open after a line of Markdown: the one open before it, another one, or none. */
export function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = /^\s*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
  if (open === undefined) {
    return mark;
  }
  const closes = mark?.startsWith(open) && line.trim() === mark;
  return closes ? undefined : open;
}

/** How many `<details>` are open after a line, of which so many were open before it. */
function foldsAfter(line: string, open: number): number {
  if (open === 0 && !/^ {0,3}<details/i.test(line)) {
    return 0;
  }
  const count = (tag: RegExp) => line.match(tag)?.length ?? 0;
  return Math.max(0, open + count(/<details\b/gi) - count(/<\/details>/gi));
}

/** Whether there are definitions of links or footnotes, which hold for the whole text: it cannot be cut. */
export function hasDefinitions(markdown: string): boolean {
  return /^ {0,3}\[[^\]\n]+\]:/m.test(markdown);
}

function isListItem(line: string): boolean {
  return /^([-*+]|\d{1,9}[.)])\s/.test(line);
}
