import type { Root } from 'hast';
import { loadChunk } from '../loading/load-chunk.ts';
import { hasFormulas, renderFormulas, type TexRenderer } from './formulas/render-formulas.ts';
import { type MarkdownTask, parseMarkdown } from './parse-markdown.ts';

/**
 * The trees of texts, or undefined for a text that is too complex. The formula renderer is loaded on demand;
 * `onLoading` is called before and after, because that time does not count.
 */
export async function markdownTrees(
  tasks: MarkdownTask[],
  onLoading: (isLoading: boolean) => void,
): Promise<(Root | undefined)[]> {
  const trees = tasks.map(getTree);
  if (!trees.some((tree) => tree && hasFormulas(tree))) {
    return trees;
  }
  onLoading(true);
  const katex = await loadKatex();
  onLoading(false);
  for (const tree of trees) {
    if (tree && katex) {
      renderFormulas(tree, katex);
    }
  }
  return trees;
}

function getTree(task: MarkdownTask): Root | undefined {
  try {
    return parseMarkdown(task);
  } catch {
    // The text is nested too deeply for the parser's stack.
    return undefined;
  }
}

/** Time limit of formula rendering in ms; then TeX is shown. */
const patience = 10_000;

/** Undefined if it cannot be loaded; retried with the next text. */
function loadKatex(): Promise<TexRenderer | undefined> {
  return Promise.race([
    loadChunk(() => import('katex')).then(
      (module) => module.default as TexRenderer,
      () => undefined,
    ),
    new Promise<undefined>((resolve) => setTimeout(resolve, patience)),
  ]);
}
