import { fenceAfter } from './split-blocks.ts';

/**
 * Markdown that is still being written, as it will most likely look when it is done: emphasis and
 * code that were opened are closed, half a link is its text, half a table head is not shown yet.
 * Without this the text would jump when the closing marks arrive.
 */
export function healMarkdown(block: string): string {
  if (endsInsideFence(block)) {
    return block;
  }
  if (block.startsWith('|')) {
    return hasTableHead(block) ? block : '';
  }
  return closeMarks(openLinkAsText(openFormulaAsText(withoutUnderline(block))));
}

function endsInsideFence(block: string): boolean {
  const lines = block.split('\n');
  return (
    lines.reduce<string | undefined>((fence, line) => fenceAfter(line, fence), undefined) !==
    undefined
  );
}

function hasTableHead(block: string): boolean {
  const [head, delimiter, ...rows] = block.split('\n');
  const columns = (row: string | undefined) => row?.match(/\|/g)?.length ?? 0;
  return rows.length > 0 || (columns(head) > 1 && columns(head) === columns(delimiter));
}

/** A line of dashes below text makes it a heading; here it is more likely the start of a list. */
function withoutUnderline(block: string): string {
  const text = block.trimEnd();
  const underline = text.lastIndexOf('\n');
  const above = text.slice(0, Math.max(underline, 0)).trimEnd();
  return above !== '' && /^(-+|=+)$/.test(text.slice(underline).trim()) ? above : block;
}

/** Half a formula keeps its backslash, as the whole one will. */
function openFormulaAsText(block: string): string {
  const at = Math.max(block.lastIndexOf('\\('), block.lastIndexOf('\\['));
  const isOpen = at >= 0 && !/\\[)\]]/.test(block.slice(at)) && block[at - 1] !== '\\';
  return isOpen && !block.includes('`') ? `${block.slice(0, at)}\\${block.slice(at)}` : block;
}

function openLinkAsText(block: string): string {
  return block.replace(/!?\[([^[\]\n]*)(\]\([^()\n]*)?$/, '$1');
}

function closeMarks(block: string): string {
  const text = block.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  if (text.includes('`')) {
    return block.endsWith('`') ? block.slice(0, -1) : `${block}\``;
  }
  const isOpen = (text.match(/\*\*/g)?.length ?? 0) % 2 === 1;
  if (!isOpen) {
    return block;
  }
  if (block.endsWith('**')) {
    return block.slice(0, -2);
  }
  return block.endsWith('*') ? `${block}*` : `${block.trimEnd()}**`;
}
