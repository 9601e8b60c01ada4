import { markAddressEnds } from '@knowhow/shared/cjk-autolinks';
import type { Nodes, Parents, Properties, Root } from 'hast';
import rehypeHighlight from 'rehype-highlight';
import remarkCjkFriendly from 'remark-cjk-friendly/parseOnly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough/parseOnly';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { cjkAutolinks } from './cjk-autolinks.ts';
import { formulaHandlers, formulaSyntax } from './formulas/formula-syntax.ts';
import { knownTags, tagHandlers } from './known-tags.ts';

export interface MarkdownTask {
  text: string;
  /** Whether code is coloured by its language. */
  highlighted: boolean;
}

/**
 * With more nodes and lines than that, or deeper ones, the page would stand still while they are shown. So
 * many take it up to a quarter of a second: a table of 1,000 rows and six columns has 13,000.
 */
const mostNodes = 15_000;
const deepest = 60;

/** Characters of a text whose code is coloured: each word of it becomes an element. */
const longestHighlighted = 20_000;

const plain = unified()
  .use(remarkParse)
  // A single tilde is a range ("3~5 days"), not a deletion.
  .use(remarkGfm, { singleTilde: false })
  // Emphasis also next to the punctuation of languages without blanks between words.
  .use(remarkCjkFriendly)
  .use(remarkCjkStrikethrough, { singleTilde: false })
  .use(formulaSyntax)
  .use(knownTags)
  .use(cjkAutolinks)
  .use(remarkRehype, {
    // Each text has its own before them where it is shown.
    clobberPrefix: '',
    handlers: {
      html: (_, { value }: { value: string }) => ({ type: 'text', value }),
      ...formulaHandlers,
      ...tagHandlers,
    },
  });
const highlighting = plain().use(rehypeHighlight);

/**
 * What a Markdown text is shown as: formulas are their TeX, tags in it are text but for a few, and an address
 * is one of the web, of mail, or empty. Undefined where that is too much to be shown. Some texts take minutes: whoever calls
 * this sets it a limit.
 */
export function parseMarkdown({ text, highlighted }: MarkdownTask): Root | undefined {
  const coloured = highlighted && text.length <= longestHighlighted;
  return (coloured && showableTree(text, highlighting)) || showableTree(text, plain);
}

function showableTree(text: string, processor: typeof plain): Root | undefined {
  const tree = processor.runSync(processor.parse(markAddressEnds(text)));
  // A stack of its own, because the tree may be deep.
  const left: { node: Nodes; depth: number }[] = [{ node: tree, depth: 0 }];
  for (let count = 1, next = left.pop(); next; count += 1, next = left.pop()) {
    const { node, depth } = next;
    if (count > mostNodes || depth > deepest) {
      return undefined;
    }
    delete node.position;
    if (node.type === 'text') {
      // What is between two elements, such as the rows of a table, is not shown.
      count += node.value === '\n' ? -1 : (node.value.match(/\n/g)?.length ?? 0);
    }
    if (node.type === 'element') {
      makeSafe(node.properties);
      if (directed.has(node.tagName)) {
        node.properties.dir = 'auto';
      }
    }
    if ('children' in node) {
      dropLineBreaks(node);
      for (const child of node.children) {
        left.push({ node: child, depth: depth + 1 });
      }
    }
  }
  return tree;
}

/**
 * Elements that take their direction from their own text: the side of list marks, columns and borders. The CSS property
 * `unicode-bidi: plaintext` does the same for each paragraph in it.
 */
const directed = new Set(['ul', 'ol', 'table', 'blockquote', 'details']);

const tableParts = new Set(['table', 'thead', 'tbody', 'tr']);

/** Between the parts of a table they are more than half of its nodes, and nobody sees them. */
function dropLineBreaks(node: Parents): void {
  if (node.type === 'element' && tableParts.has(node.tagName)) {
    node.children = node.children.filter(({ type }) => type !== 'text');
  }
}

function makeSafe(properties: Properties): void {
  for (const name of ['href', 'src']) {
    if (name in properties && !isSafe(String(properties[name]))) {
      properties[name] = '';
    }
  }
}

function isSafe(address: string): boolean {
  const base = 'https://relative.invalid';
  return (
    URL.canParse(address, base) &&
    ['https:', 'http:', 'mailto:'].includes(new URL(address, base).protocol)
  );
}
