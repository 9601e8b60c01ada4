import type { Root } from 'hast';
import { loadCode } from '../loading/load-code.ts';
import { hasFormulas, renderFormulas, type TexRenderer } from './formulas/render-formulas.ts';
import { type MarkdownTask, parseMarkdown } from './parse-markdown.ts';

/**
 * What texts are shown as, or undefined for one that has none to show. What formulas take is loaded when
 * there is one; `onLoading` is called before and after, as that is not the text's fault.
 */
export async function markdownTrees(
  tasks: MarkdownTask[],
  onLoading: (isLoading: boolean) => void,
): Promise<(Root | undefined)[]> {
  const trees = tasks.map(treeOf);
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

function treeOf(task: MarkdownTask): Root | undefined {
  try {
    return parseMarkdown(task);
  } catch {
    // A text so deep that the parser's own stack does not hold it.
    return undefined;
  }
}

/** Milliseconds after which formulas are shown as TeX. */
const patience = 10_000;

/** Undefined where it cannot be loaded; then it is tried again for the next text. */
function loadKatex(): Promise<TexRenderer | undefined> {
  return Promise.race([
    loadCode(() => import('katex')).then(
      (module) => module.default as TexRenderer,
      () => undefined,
    ),
    new Promise<undefined>((resolve) => setTimeout(resolve, patience)),
  ]);
}
