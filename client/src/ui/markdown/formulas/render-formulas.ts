import type { Element, Nodes, Root } from 'hast';
import { parseMarkup } from './parse-markup.ts';

/** The used part of KaTeX. */
export interface TexRenderer {
  renderToString: (tex: string, options: object) => string;
}

/** With more nodes, rendering would freeze the page. */
const mostNodes = 15_000;
const deepest = 300;

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
  for (const formula of findFormulas(tree)) {
    const displayMode = formula.properties.dataDisplay === true;
    const tex = String(formula.properties.dataTex);
    if (tex.length > longestWithMacros && definition.test(tex)) {
      continue;
    }
    try {
      const markup = katex.renderToString(tex, { ...options, displayMode });
      const { root, nodes, depth } = parseMarkup(markup);
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
