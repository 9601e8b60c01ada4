import { MarkdownTable } from './markdown-table.ts';
import type { PageElement, PageNode } from './page-node.ts';

const skipped: ReadonlySet<string> = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT HEAD BUTTON SELECT'.split(' '),
);
const blocks: ReadonlySet<string> = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DIV DL DT FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);

interface Step {
  node: PageNode;
  /** Whether its children have been written. */
  isLeft: boolean;
  /** Whether its content is buffered separately. */
  hasFrame?: boolean;
}

export interface MarkdownOptions {
  /**
   * Whether tables that contain tables or headings are layout, as in web pages and emails: their
   * cells are written sequentially. Otherwise every table holds data.
   */
  hasLayoutTables: boolean;
}

/** A table, cell or the document whose content is being written. */
interface Frame {
  out: string[];
  table?: MarkdownTable;
  /** Cell texts, in case the table turns out to be layout. */
  cells?: string[];
  isLayout?: boolean;
}

/**
 * Converts an element to Markdown with headings, lists, tables and code. Iterative, so deep trees
 * cannot overflow the stack.
 */
export function plainMarkdown(
  root: PageNode,
  { hasLayoutTables }: MarkdownOptions = { hasLayoutTables: true },
): string {
  const writer = new MarkdownWriter(hasLayoutTables);
  const steps: Step[] = [{ node: root, isLeft: false }];
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { node, isLeft, hasFrame = false } = step;
    const name = node.nodeName.toUpperCase();
    if (node.nodeType === 3) {
      writer.text(node.textContent ?? '');
    } else if (isLeft) {
      writer.leave(name, { node, hasFrame });
    } else if (!skipped.has(name)) {
      steps.push({ node, isLeft: true, hasFrame: writer.enter(name, node) });
      for (let child = node.lastChild; child; child = child.previousSibling) {
        steps.push({ node: child, isLeft: false });
      }
    }
  }
  return writer.finish();
}

/** Maximum nested tables and cells; deeper ones are written as blocks. */
const maxFrames = 16;

class MarkdownWriter {
  readonly #frames: Frame[] = [];
  readonly #hasLayoutTables: boolean;
  #frame: Frame = { out: [] };
  #codeDepth = 0;

  constructor(hasLayoutTables: boolean) {
    this.#hasLayoutTables = hasLayoutTables;
  }

  text(text: string): void {
    this.#frame.out.push(this.#codeDepth > 0 ? text : inline(text));
  }

  /** Returns whether the content is buffered separately until `leave`. */
  enter(name: string, node: PageNode): boolean {
    this.#codeDepth += name === 'PRE' ? 1 : 0;
    if (name === 'TABLE' && this.#frames.length < maxFrames) {
      this.#markLayout(name);
      const isLayout = this.#hasLayoutTables && attribute(node, 'role') === 'presentation';
      this.#push({ out: [], table: new MarkdownTable(), isLayout });
      return true;
    }
    if (isCell(name) && this.#frame.table) {
      this.#push({ out: [] });
      return true;
    }
    if (name === 'TR' && this.#frame.table) {
      this.#frame.table.addRow();
    } else {
      this.#markLayout(name);
      this.#frame.out.push(startOf(name));
    }
    return false;
  }

  leave(name: string, { node, hasFrame }: { node: PageNode; hasFrame: boolean }): void {
    this.#codeDepth -= name === 'PRE' ? 1 : 0;
    if (!hasFrame) {
      this.#frame.out.push(endOf(name));
    } else if (name === 'TABLE') {
      this.#leaveTable();
    } else {
      this.#leaveCell(node);
    }
  }

  finish(): string {
    return tidy(this.#frame.out.join(''));
  }

  #push(frame: Frame): void {
    this.#frames.push(this.#frame);
    this.#frame = frame;
  }

  /** Text outside the cells, such as a caption, is written before the table. */
  #leaveTable(): void {
    const { out, table, cells = [], isLayout } = this.#frame;
    this.#frame = this.#frames.pop() ?? { out: [] };
    const isNested = this.#frames.length > 0;
    const text = isLayout ? cells.join('\n\n') : isNested ? table?.toLine() : table?.toString();
    this.#frame.out.push('\n\n', out.join(''), '\n\n', text ?? '', '\n\n');
  }

  #leaveCell(node: PageNode): void {
    const text = tidy(this.#frame.out.join(''));
    this.#frame = this.#frames.pop() ?? { out: [] };
    this.#frame.table?.addCell({
      text,
      columns: spanOf(node, 'colspan'),
      rows: spanOf(node, 'rowspan'),
    });
    this.#frame.cells ??= [];
    this.#frame.cells.push(text);
  }

  /** A table that contains headings or other tables is layout. */
  #markLayout(name: string): void {
    const around = this.#frames.at(-1);
    if (this.#hasLayoutTables && around?.table && /^(?:H[1-6]|TABLE)$/.test(name)) {
      around.isLayout = true;
    }
  }
}

function isCell(name: string): boolean {
  return name === 'TD' || name === 'TH';
}

function attribute(node: PageNode, name: string): string {
  return (node as Partial<PageElement>).getAttribute?.(name) ?? '';
}

function spanOf(node: PageNode, name: string): number {
  const span = Number.parseInt(attribute(node, name), 10);
  return span > 1 ? span : 1;
}

function startOf(name: string): string {
  const level = /^H([1-6])$/.exec(name)?.[1];
  if (level) {
    return `\n\n${'#'.repeat(Number(level))} `;
  }
  switch (name) {
    case 'LI':
      return '\n- ';
    case 'PRE':
      return '\n\n```\n';
    case 'BR':
      return '\n';
    case 'BLOCKQUOTE':
      return '\n\n> ';
    default:
      return blocks.has(name) ? '\n\n' : '';
  }
}

function endOf(name: string): string {
  if (/^H[1-6]$/.test(name)) {
    return '\n\n';
  }
  switch (name) {
    case 'LI':
      return '\n';
    case 'PRE':
      return '\n```\n\n';
    default:
      return blocks.has(name) ? '\n\n' : '';
  }
}

function inline(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Trims lines, joins list items and collapses blank lines, except in code. */
function tidy(text: string): string {
  return text
    .split(/(\n```\n[\s\S]*?\n```\n)/)
    .map((part, index) => (index % 2 === 1 ? part : tidyLines(part)))
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function tidyLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .join('\n')
    .replace(/^([->]|#{1,6})\n+(?=\S)/gm, '$1 ')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/(\n- [^\n]*)\n\n(?=- )/g, '$1\n');
}
