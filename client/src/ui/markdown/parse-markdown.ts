import { addressEnd, markAddressEnds } from '@knowhow/shared/cjk-autolinks';
import type { Nodes, Parents, Properties, Root } from 'hast';
import type { Link, Root as MdastRoot, Parent, PhrasingContent } from 'mdast';
import rehypeHighlight from 'rehype-highlight';
import remarkCjkFriendly from 'remark-cjk-friendly/parseOnly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough/parseOnly';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { formulaHandlers, formulaSyntax } from './formulas/formula-syntax.ts';
import { knownTags, tagHandlers } from './known-tags.ts';

export interface MarkdownTask {
  text: string;
  /** Whether it has been received in full: then code is highlighted, and parsing may take longer. */
  isComplete: boolean;
}

/**
 * With more nodes and lines, or deeper nesting, rendering would freeze the page. This number takes up to a
 * quarter of a second: a table of 1,000 rows and six columns has 13,000.
 */
const mostNodes = 15_000;
const deepest = 60;

/** Maximum characters of a text with highlighted code: each token becomes an element. */
const longestHighlighted = 20_000;

const plain = unified()
  .use(remarkParse)
  // A single tilde is a range ("3~5 days"), not a deletion.
  .use(remarkGfm, { singleTilde: false })
  // Emphasis also next to the punctuation of languages without spaces between words.
  .use(remarkCjkFriendly)
  .use(remarkCjkStrikethrough, { singleTilde: false })
  .use(formulaSyntax)
  .use(knownTags)
  .use(cjkAutolinks)
  .use(remarkRehype, {
    // Each text adds its own ID prefix when rendered.
    clobberPrefix: '',
    handlers: {
      html: (_, { value }: { value: string }) => ({ type: 'text', value }),
      ...formulaHandlers,
      ...tagHandlers,
    },
  });
const highlighting = plain().use(rehypeHighlight);

/**
 * Parses Markdown into a tree. Against cross-site scripting (XSS), tags are text except for an allowlist, and URLs
 * are web, mail, or empty; formulas stay TeX. Returns undefined if the result is too large to render. Some texts take
 * minutes: callers must set a timeout.
 */
export function parseMarkdown({ text, isComplete }: MarkdownTask): Root | undefined {
  if (hasTooManyLines(text)) {
    return undefined;
  }
  const coloured = isComplete && text.length <= longestHighlighted;
  return (coloured && buildTree(text, highlighting)) || buildTree(text, plain);
}

/** Each line with text becomes at least a node or a line of one: parsing more of them would be in vain. */
function hasTooManyLines(text: string): boolean {
  const lines = /\S[^\n]*/g;
  let count = 0;
  while (count <= mostNodes && lines.test(text)) {
    count += 1;
  }
  return count > mostNodes;
}

function buildTree(text: string, processor: typeof plain): Root | undefined {
  const tree = processor.runSync(processor.parse(markAddressEnds(text)));
  // A generator stack instead of recursion, because the tree may be deep.
  const left: { node: Nodes; depth: number }[] = [{ node: tree, depth: 0 }];
  for (let count = 1, next = left.pop(); next; count += 1, next = left.pop()) {
    const { node, depth } = next;
    if (count > mostNodes || depth > deepest) {
      return undefined;
    }
    delete node.position;
    if (node.type === 'text') {
      // Whitespace between elements, such as table rows, is not rendered.
      count += node.value === '\n' ? -1 : (node.value.match(/\n/g)?.length ?? 0);
    }
    if (node.type === 'element') {
      sanitizeUrls(node.properties);
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
 * Elements that take their direction from their own text: the side of list markers, columns and borders. The CSS
 * property `unicode-bidi: plaintext` does the same for each paragraph in it.
 */
const directed = new Set(['ul', 'ol', 'table', 'blockquote', 'details']);

const tableParts = new Set(['table', 'thead', 'tbody', 'tr']);

/** Whitespace between the parts of a table is more than half of its nodes, and invisible. */
function dropLineBreaks(node: Parents): void {
  if (node.type === 'element' && tableParts.has(node.tagName)) {
    node.children = node.children.filter(({ type }) => type !== 'text');
  }
}

function sanitizeUrls(properties: Properties): void {
  for (const name of ['href', 'src']) {
    if (name in properties && !isSafeUrl(String(properties[name]))) {
      properties[name] = '';
    }
  }
}

function isSafeUrl(address: string): boolean {
  const base = 'https://relative.invalid';
  return (
    URL.canParse(address, base) &&
    ['https:', 'http:', 'mailto:'].includes(new URL(address, base).protocol)
  );
}

/** A remark plugin: removes the marks of `markAddressEnds`, and ends the URLs there. */
function cjkAutolinks() {
  return (tree: MdastRoot) => {
    const left: Parent[] = [tree];
    for (let parent = left.pop(); parent; parent = left.pop()) {
      parent.children = parent.children.flatMap((child): Parent['children'] =>
        child.type === 'link' ? splitLink(child) : [child],
      );
      for (const child of parent.children) {
        removeMarks(child);
        if ('children' in child) {
          left.push(child);
        }
      }
    }
  };
}

/** GFM also looks for `www.` in parsed text, and reads past the mark there. */
function splitLink(link: Link): PhrasingContent[] {
  const [text] = link.children;
  if (text?.type !== 'text' || !text.value.includes(addressEnd) || !link.url.endsWith(text.value)) {
    return [link];
  }
  const [address = '', ...rest] = text.value.split(addressEnd);
  const url = link.url.slice(0, link.url.length - text.value.length + address.length);
  return [
    { ...link, url, children: [{ type: 'text', value: address }] },
    { type: 'text', value: rest.join('') },
  ];
}

function removeMarks(node: Parent['children'][number]): void {
  if ('value' in node) {
    node.value = node.value.replaceAll(addressEnd, '');
  }
  if ('url' in node) {
    node.url = node.url.replaceAll(addressEnd, '');
  }
}
