/** More are one: each is rendered by itself. An answer of 200 kB has some 1,200. */
const mostBlocks = 2_000;

/**
 * Splits Markdown at blank lines between its top-level blocks, so that what is settled needs no
 * second look while the rest still streams. Joined by line breaks, the blocks are the text again.
 */
export function splitBlocks(markdown: string): string[] {
  if (hasDefinitions(markdown)) {
    return [markdown];
  }
  const blocks: string[][] = [[]];
  let fence: string | undefined;
  let afterBlank = false;
  let inList = false;

  for (const line of markdown.split('\n')) {
    const isBlank = line.trim() === '';
    const isTopLevel = !isBlank && fence === undefined && !/^\s/.test(line);
    const isMore = isTopLevel && afterBlank && !(inList && isListItem(line));
    if (isMore && blocks.length < mostBlocks) {
      blocks.push([]);
    }
    if (isTopLevel) {
      inList = isListItem(line) || (inList && !afterBlank);
    }
    blocks.at(-1)?.push(line);
    fence = fenceAfter(line, fence);
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

/** Link and footnote definitions hold for the whole text, so it cannot be cut. */
function hasDefinitions(markdown: string): boolean {
  return /^ {0,3}\[[^\]\n]+\]:/m.test(markdown);
}

function isListItem(line: string): boolean {
  return /^([-*+]|\d{1,9}[.)])\s/.test(line);
}
