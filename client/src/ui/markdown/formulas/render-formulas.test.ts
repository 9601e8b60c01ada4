import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { markdownTrees } from '../markdown-trees.ts';
import { parseMarkdown } from '../parse-markdown.ts';
import { renderFormulas } from './render-formulas.ts';

const treeOf = async (text: string) => {
  const [tree] = await markdownTrees([{ text, isComplete: false }], () => undefined);
  return JSON.stringify(tree);
};

describe('formulas', () => {
  it('are accessible markup in the tree, not HTML strings', async () => {
    const tree = await treeOf('$a < \\text{"b"}$');
    expect(tree).toContain('"tagName":"math"');
    expect(tree).toContain('"value":"<"');
    expect(tree).not.toContain('&lt;');
  });

  it('report loading before and after, and nothing without formulas', async () => {
    const said: boolean[] = [];
    await markdownTrees([{ text: '$5', isComplete: false }], (isLoading) => said.push(isLoading));
    expect(said).toEqual([]);
    await markdownTrees([{ text: '$x$', isComplete: false }], (isLoading) => said.push(isLoading));
    expect(said).toEqual([true, false]);
  });

  it.each([
    ['that refer to themselves', '\\def\\a{\\a\\a}\\a'],
    ['that grow with each use', `\\def\\a{${'x'.repeat(400)}}${'\\a'.repeat(100)}`],
    ['of unknown commands', '\\nothing{}'],
    ['nested a hundred times', `${'\\frac{1}{'.repeat(100)}x${'}'.repeat(100)}`],
  ])('stay unchanged: %s', async (_, tex) => {
    expect(await treeOf(`\\(${tex}\\)`)).not.toContain('dataRendered');
  });

  it('may define macros', async () => {
    expect(await treeOf('$$\\def\\R{\\mathbb{R}} x \\in \\R$$')).toContain('dataRendered');
  });

  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\includegraphics{https://example.org/a.png}',
    '\\htmlStyle{background: url(https://example.org)}{x}',
  ])('cannot link, load or style anything: %s', async (tex) => {
    expect(await treeOf(`\\(${tex}\\)`)).not.toMatch(
      /"(?:href|src)":|"tagName":"(?:a|img)"|"style":"background/,
    );
  });

  it('stay TeX after a few that grow to more than a page holds', () => {
    const tex = `\\def\\a{${'x'.repeat(150)}}${'\\a'.repeat(70)}`;
    const tree = parseMarkdown({ text: `\\(${tex}\\)`.repeat(150), isComplete: false });
    let rendered = 0;
    const renderToString = (...each: Parameters<typeof katex.renderToString>) => {
      rendered += 1;
      return katex.renderToString(...each);
    };
    renderFormulas(tree as NonNullable<typeof tree>, { renderToString });
    expect(rendered).toBeLessThan(5);
  });

  it('are not larger than a page', async () => {
    expect(await treeOf('\\(\\rule{9999em}{9999em}\\)')).not.toContain('9999em;');
  });
});
