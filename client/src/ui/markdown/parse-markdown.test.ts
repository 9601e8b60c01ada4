import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './parse-markdown.ts';

const parse = (text: string) => parseMarkdown({ text, highlighted: true });

describe('parseMarkdown', () => {
  it('takes tags for text', () => {
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
  ])('lets an address lead to pages and mail only: %s', (address, kept) => {
    expect(parse(`[a](<${address}>)`)).toMatchObject({
      children: [{ children: [{ tagName: 'a', properties: { href: kept } }] }],
    });
    expect(parse(`![a](<${address}>)`)).toMatchObject({
      children: [{ children: [{ tagName: 'img', properties: { src: kept } }] }],
    });
  });

  it.each([
    ['Where \\(a_1 * b_2 * c\\) is.', 'Where \\(a_1 * b_2 * c\\) is.'],
    ['\\[\nx = \\{1, 2\\} \\\\\ny\n\\]', '\\[\nx = \\{1, 2\\} \\\\\ny\n\\]'],
    ['A \\[link\\](b) and \\(half', 'A \\[link\\](b) and (half'],
    ['\\*a\\* \\\\(b\\\\)', '*a* \\(b\\)'],
  ])('keeps a formula as it was written: %j', (text, shown) => {
    const paragraph = parse(text)?.children[0];
    const parts = paragraph && 'children' in paragraph ? paragraph.children : [];
    expect(parts.map((part) => ('value' in part ? part.value : part.type)).join('')).toBe(shown);
  });

  it('takes linear time for formulas that never end', () => {
    const start = performance.now();
    parse('\\(a '.repeat(5_000));
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('colours code by its language', () => {
    expect(JSON.stringify(parse('```js\nlet a;\n```'))).toContain('hljs-keyword');
  });

  it('leaves long code without colours', () => {
    const tree = JSON.stringify(parse(`\`\`\`js\n${'let a;\n'.repeat(5_000)}\`\`\``));
    expect(tree).toContain('let a;');
    expect(tree).not.toContain('hljs-keyword');
  });

  it('takes a table of 1,000 rows and six columns', () => {
    const row = (cell: string) => `|${` ${cell} |`.repeat(6)}\n`;
    const tree = parse(row('Name') + row('---') + row('a value').repeat(1000));
    expect(tree?.children).toMatchObject([
      { tagName: 'table', children: [{ tagName: 'thead' }, { tagName: 'tbody' }] },
    ]);
  });

  it.each([
    ['deeply nested', '> '.repeat(200)],
    ['of too many parts', '*a* '.repeat(10_000)],
  ])('gives nothing for a text that is %s', (_, text) => {
    expect(parse(text)).toBeUndefined();
  });
});
