import { maxBlockLength } from './formulas/is-formula.ts';
import { fenceAfter } from './split-blocks.ts';

/**
 * Completes streaming Markdown: closes open emphasis and code, reduces an incomplete link to its text, and hides
 * an incomplete table head. Without this the layout would jump when the closing marks arrive.
 */
export function healMarkdown(block: string): string {
  if (endsInsideFence(block)) {
    return block;
  }
  if (block.startsWith('|')) {
    return hasTableHead(block) ? block : '';
  }
  return closeMarks(unwrapOpenLink(removeOpenTag(removeOpenFormula(removeOpenUnderline(block)))));
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

/** Dashes below a text make it a heading; while streaming, it is more likely the start of a list. */
function removeOpenUnderline(block: string): string {
  const text = block.trimEnd();
  const underline = text.lastIndexOf('\n');
  const above = text.slice(0, Math.max(underline, 0)).trimEnd();
  return above !== '' && /^(-+|=+)$/.test(text.slice(underline).trim()) ? above : block;
}

/** An incomplete formula is hidden: its TeX would change a moment later. */
function removeOpenFormula(block: string): string {
  const brackets = Math.max(block.lastIndexOf('\\('), block.lastIndexOf('\\['));
  const isBracket = brackets >= 0 && block[brackets - 1] !== '\\';
  if (isBracket && isLate(block, brackets) && !/\\[)\]]/.test(block.slice(brackets))) {
    return block.slice(0, brackets);
  }
  const doubles = block.split('$$').length - 1;
  const double = block.lastIndexOf('$$');
  if (doubles % 2 === 1 && isLate(block, double)) {
    return block.slice(0, double);
  }
  return doubles === 0 ? removeOpenDollar(block) : block;
}

/** A single dollar sign may be money: text after it waits for the closing one only while it is short. */
function removeOpenDollar(block: string): string {
  const from = Math.max(0, block.lastIndexOf('\n') + 1, block.length - 2_000);
  const signs = [...block.slice(from).matchAll(/(?<!\\)\$(?!\d)/g)];
  const last = from + (signs.at(-1)?.index ?? 0);
  const isOpen =
    signs.length % 2 === 1 && /^\$(?:[^\s.,;:!?)\]`][^`]{0,60})?$/.test(block.slice(last));
  return isOpen ? block.slice(0, last) : block;
}

function isLate(block: string, at: number): boolean {
  return block.length - at < maxBlockLength && !block.slice(at).includes('`');
}

/** The beginning of a tag or of a footnote reference, which may become visible. */
function removeOpenTag(block: string): string {
  return block.replace(/<\/?[a-z]{0,7}$/i, '').replace(/\[\^[^\]\n[]{0,100}$/, '');
}

function unwrapOpenLink(block: string): string {
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
