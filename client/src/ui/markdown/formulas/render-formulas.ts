import type { Element, Nodes, Root } from 'hast';
import { parseMarkup } from './parse-markup.ts';

/** What KaTeX does for a formula. */
export interface TexRenderer {
  renderToString: (tex: string, options: object) => string;
}

/** With more nodes the page would stand still while they are shown. */
const mostNodes = 15_000;
const deepest = 300;

/** Formulas come from models: no links, no pictures, no macros without an end, no rules wider than the page. */
const options = { trust: false, strict: 'ignore', throwOnError: true, maxExpand: 500, maxSize: 20 };

/** Each use of a macro is as long as what it stands for: of long ones a formula of minutes can be made. */
const definition = /\\(?:\w*def|\w*command|let|futurelet)(?![a-z])/;
const longestWithMacros = 300;

/** Whether there are formulas in a tree. */
export function hasFormulas(tree: Root): boolean {
  return formulasOf(tree).length > 0;
}

/** Puts what formulas look like in place of their TeX; one that is none, or is too large, stays TeX. */
export function renderFormulas(tree: Root, katex: TexRenderer): void {
  let left = mostNodes;
  for (const formula of formulasOf(tree)) {
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
      // It says what is wrong in the terms of TeX, which is nothing to its reader.
    }
  }
}

function formulasOf(tree: Root): Element[] {
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
