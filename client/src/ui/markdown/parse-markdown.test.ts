import type { Nodes } from 'hast';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.ts';

const parse = (text: string) => parseMarkdown({ text, isComplete: true });

/** The TeX of all formulas in a tree. */
function formulasOf(node: Nodes | undefined): unknown[] {
  if (node?.type === 'element' && node.tagName === 'var') {
    return [node.properties.dataTex];
  }
  return node && 'children' in node ? node.children.flatMap(formulasOf) : [];
}

function shapeOf(node: Nodes | undefined): string {
  const inside = node && 'children' in node ? node.children.map(shapeOf).join('') : '';
  if (node?.type === 'element') {
    return `[${node.tagName}]${inside}[/]`;
  }
  return node?.type === 'text' ? node.value : inside;
}

function foldOf(content: string): string {
  return `[details][summary]A b[/]${content}[/]`;
}

describe('parseMarkdown', () => {
  it.each([
    ['Delivery takes 3~5 days, or 7~10 days.', '[p]Delivery takes 3~5 days, or 7~10 days.[/]'],
    ['~a~ and ~~b~~', '[p]~a~ and [del]b[/][/]'],
    ['**「重要」**です。', '[p][strong]「重要」[/]です。[/]'],
    ['请看**“引号”**加粗', '[p]请看[strong]“引号”[/]加粗[/]'],
    ['これは~~「古い」~~です', '[p]これは[del]「古い」[/]です[/]'],
    ['*（注）*한국어', '[p][em]（注）[/]한국어[/]'],
    ['**Bold** and *em*', '[p][strong]Bold[/] and [em]em[/][/]'],
  ])('parses the marks of %s', (text, shape) => {
    expect(shapeOf(parse(text))).toBe(shape);
  });

  it.each([
    ['见 https://a.example/x。然后继续', '[p]见 [a]https://a.example/x[/]。然后继续[/]'],
    [
      'https://a.example、https://b.example/路径。完',
      '[p][a]https://a.example[/]、[a]https://b.example/路径[/]。完[/]',
    ],
    ['www.a.example（参照）', '[p][a]www.a.example[/]（参照）[/]'],
    ['参照、www.a.example。次', '[p]参照、[a]www.a.example[/]。次[/]'],
    ['见 https://a.example/x。**重要**', '[p]见 [a]https://a.example/x[/]。[strong]重要[/][/]'],
    ['**见 https://a.example/x。**继续', '[p][strong]见 [a]https://a.example/x[/]。[/]继续[/]'],
    ['https://a.example「`b`」*c*', '[p][a]https://a.example[/]「[code]b[/]」[em]c[/][/]'],
    ['https://a.example/(x)。', '[p][a]https://a.example/(x)[/]。[/]'],
    ['https://a.example/x。\n次', '[p][a]https://a.example/x[/]。\n次[/]'],
    ['「https://。」', '[p]「https://。」[/]'],
    ['See https://a.example/x.', '[p]See [a]https://a.example/x[/].[/]'],
    ['[https://a.example/。](https://a.example/。)', '[p][a]https://a.example/[/]。[/]'],
    ['[a。](https://a.example/。)', '[p][a]a。[/][/]'],
    ['<https://a.example/x>', '[p][a]https://a.example/x[/][/]'],
  ])('ends a URL where the sentence of %s continues', (text, shape) => {
    expect(shapeOf(parse(text))).toBe(shape);
  });

  it.each(['[a](https://a.example/。)', '`https://a.example/。`'])(
    'keeps the URL of %s unchanged',
    (text) => {
      const tree = JSON.stringify(parse(text));
      expect(tree).toMatch(/https:\/\/a\.example\/(。|%E3%80%82)"/);
      expect(tree).not.toMatch(/\uFEFF|%EF%BB%BF/);
    },
  );

  it('sets the direction of lists, tables and quotations by their text', () => {
    const text = '- מה\n\n> ציטוט\n\n| א |\n|---|\n| ב |\n\n1. one';
    const children = parse(text)?.children.filter(({ type }) => type === 'element');
    expect(children).toMatchObject(
      ['ul', 'blockquote', 'table', 'ol'].map((tagName) => ({
        tagName,
        properties: { dir: 'auto' },
      })),
    );
  });

  it('treats tags as text', () => {
    expect(parse('<b>a</b>')?.children).toMatchObject([
      { tagName: 'p', children: [{ value: '<b>' }, { value: 'a' }, { value: '</b>' }] },
    ]);
  });

  it.each([
    ['https://example.org/a', 'https://example.org/a'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['references/a.md#top', 'references/a.md#top'],
    ['/admin', '/admin'],
    ['javascript:alert(1)', ''],
    ['JaVaScRiPt:alert(1)', ''],
    ['data:text/html,a', ''],
    ['vbscript:a', ''],
    ['http://[', ''],
  ])('allows only web and mail URLs: %s', (address, kept) => {
    expect(parse(`[a](<${address}>)`)).toMatchObject({
      children: [{ children: [{ tagName: 'a', properties: { href: kept } }] }],
    });
    expect(parse(`![a](<${address}>)`)).toMatchObject({
      children: [{ children: [{ tagName: 'img', properties: { src: kept } }] }],
    });
  });

  it.each([
    ['Where \\(a_1 * b_2 * c\\) is.', ['a_1 * b_2 * c']],
    ['\\[\nx = \\{1, 2\\} \\\\\ny\n\\]', ['x = \\{1, 2\\} \\\\\ny']],
    ['$x$, $a_1 + b_1$ and $$y$$.', ['x', 'a_1 + b_1', 'y']],
    ['So:\n$$\na\n- b\n= c\n$$\nand', ['a\n- b\n= c']],
    ['> $$\n> a\n> b\n> $$', ['a\nb']],
    ['- one\n\n  \\[ x \\]', ['x']],
    ['\\[ x = 1 \\], where *y*', ['x = 1']],
    ['\\[\nx\n\\], where', ['x']],
    ['| $x$ | $5 |\n|---|---|', ['x']],
  ])('finds the formulas in %j', (text, formulas) => {
    expect(formulasOf(parse(text))).toEqual(formulas);
  });

  it.each([
    'It costs $5 and $10.',
    'US$5-$6, 5$ or 10$',
    'From $3, up to 5$.',
    '$PATH:$HOME',
    '`$a$` and \\$b$',
    '\\[citation needed\\] and $$ or $$, or $$$',
    'A \\[link\\](b) and \\(half',
    '\\*a\\* \\\\(b\\\\)',
    '$$\nnever closed\n\nnext',
    '$$5 million dollars are much',
  ])('treats this as text: %j', (text) => {
    expect(formulasOf(parse(text))).toEqual([]);
  });

  it.each([
    ['H<sub>2</sub>O<br>x<sup>2</sup>', '[p]H[sub]2[/]O[br][/]\nx[sup]2[/][/]'],
    ['a <sub>b', '[p]a <sub>b[/]'],
    [
      '<details open>\n<summary>A <b>b</b></summary>\n\n- c\n\n</details>',
      foldOf('[ul]\n[li]c[/]\n[/]'),
    ],
    ['<details><summary>A b</summary>\n*c*\n</details>', foldOf('[p][em]c[/][/]')],
    ['<details>\n<summary>A b</summary>\n\nc', foldOf('[p]c[/]')],
    ['<details><script>x</script></details>', '[details]<script>x</script>[/]'],
  ])('supports a few tags: %j', (text, shown) => {
    expect(shapeOf(parse(text))).toBe(shown);
  });

  it('takes linear time for unclosed formulas', () => {
    const start = performance.now();
    parse('\\(a '.repeat(2_500));
    parse('\\[a '.repeat(2_500));
    parse('$a '.repeat(2_500));
    parse('x $$a '.repeat(2_500));
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('highlights code by its language', () => {
    expect(JSON.stringify(parse('```js\nlet a;\n```'))).toContain('hljs-keyword');
  });

  it('does not highlight long code', () => {
    const tree = JSON.stringify(parse(`\`\`\`js\n${'let a;\n'.repeat(5_000)}\`\`\``));
    expect(tree).toContain('let a;');
    expect(tree).not.toContain('hljs-keyword');
  });

  it('parses a table of 1,000 rows and six columns', () => {
    const row = (cell: string) => `|${` ${cell} |`.repeat(6)}\n`;
    const tree = parse(row('Name') + row('---') + row('a value').repeat(1000));
    expect(tree?.children).toMatchObject([
      { tagName: 'table', children: [{ tagName: 'thead' }, { tagName: 'tbody' }] },
    ]);
  });

  it.each([
    ['deeply nested', '> '.repeat(200)],
    ['folded in folds', '<details>\n\n'.repeat(200)],
    ['of too many parts', '*a* '.repeat(10_000)],
  ])('returns nothing for a text that is %s', (_, text) => {
    expect(parse(text)).toBeUndefined();
  });
});
