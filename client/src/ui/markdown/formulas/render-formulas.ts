import type { Element, ElementContent, Nodes, Root } from 'hast';

/** The used part of KaTeX. */
export interface TexRenderer {
  renderToString: (tex: string, options: object) => string;
}

/** With more nodes, rendering would freeze the page. */
const mostNodes = 15_000;
const deepest = 300;

/** Nodes of all results, including those too large to show: with more, the rest of the text stays TeX. */
const mostRendered = 2 * mostNodes;

/** Formulas are untrusted model output: no links, no pictures, bounded macros, no rules wider than the page. */
const options = { trust: false, strict: 'ignore', throwOnError: true, maxExpand: 500, maxSize: 20 };

/** Macro expansion can grow exponentially, so long macros are rejected. */
const definition = /\\(?:\w*def|\w*command|let|futurelet)(?![a-z])/;
const longestWithMacros = 300;

/** Whether a tree contains formulas. */
export function hasFormulas(tree: Root): boolean {
  return findFormulas(tree).length > 0;
}

/** Replaces formulas by their rendering; an invalid or too large one stays TeX. */
export function renderFormulas(tree: Root, katex: TexRenderer): void {
  let left = mostNodes;
  let rendered = 0;
  for (const formula of findFormulas(tree)) {
    if (rendered > mostRendered) {
      return;
    }
    const displayMode = formula.properties.dataDisplay === true;
    const tex = String(formula.properties.dataTex);
    if (tex.length > longestWithMacros && definition.test(tex)) {
      continue;
    }
    try {
      const markup = katex.renderToString(tex, { ...options, displayMode });
      const { root, nodes, depth } = parseMarkup(markup);
      rendered += nodes;
      if (nodes <= left && depth <= deepest) {
        left -= nodes;
        formula.children = root.children as Element['children'];
        formula.properties.dataRendered = true;
      }
    } catch {
      // The error message is in terms of TeX, which does not help the reader.
    }
  }
}

function findFormulas(tree: Root): Element[] {
  const found: Element[] = [];
  const left: Nodes[] = [tree];
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === 'element' && node.tagName === 'var') {
      found.push(node);
    } else if ('children' in node) {
      left.push(...node.children);
    }
  }
  return found;
}

const tags = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+=(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g;

const attributes = /([\w:-]+)=(?:"([^"]*)"|'([^']*)')/g;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** Parses the library's markup, which is well-formed with only basic entities, into a tree. */
function parseMarkup(markup: string): { root: Root; nodes: number; depth: number } {
  const root: Root = { type: 'root', children: [] };
  const open: (Root | Element)[] = [root];
  let [end, nodes, depth] = [0, 0, 0];
  const add = (child: ElementContent) => {
    open.at(-1)?.children.push(child);
    nodes += 1;
  };
  for (const {
    0: whole,
    1: slash,
    2: tagName = '',
    3: written = '',
    4: empty,
    index,
  } of markup.matchAll(tags)) {
    if (index > end) {
      add({ type: 'text', value: unescapeEntities(markup.slice(end, index)) });
    }
    end = index + whole.length;
    if (slash) {
      open.pop();
      continue;
    }
    const element: Element = {
      type: 'element',
      tagName,
      properties: parseProperties(written),
      children: [],
    };
    add(element);
    if (!empty) {
      open.push(element);
      depth = Math.max(depth, open.length);
    }
  }
  return { root, nodes, depth };
}

function parseProperties(written: string): Element['properties'] {
  return Object.fromEntries(
    [...written.matchAll(attributes)].map(({ 1: name = '', 2: double, 3: single }) => [
      name,
      unescapeEntities(double ?? single ?? ''),
    ]),
  );
}

function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => entities[name] ?? '');
}
