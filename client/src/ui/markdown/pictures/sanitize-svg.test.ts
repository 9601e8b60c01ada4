import { describe, expect, it } from 'vitest';
import { sanitizeSvg } from './sanitize-svg.ts';

const svg = (inside: string) => `<svg viewBox="0 0 9 9">${inside}</svg>`;
const verdictOf = (text: string) => sanitizeSvg(text).verdict;

describe('judgeSvg', () => {
  it('accepts shapes, gradients and reused parts, and adds a namespace', () => {
    const judged = sanitizeSvg(
      svg(
        '<title>A dot</title><defs><g id="a"><circle r="1"/></g></defs><use href="#a"/><path fill="url(#a)"/>',
      ),
    );
    expect(judged).toMatchObject({ verdict: 'safe', title: 'A dot' });
    expect(judged).toHaveProperty(
      'svg',
      expect.stringContaining('xmlns="http://www.w3.org/2000/svg"'),
    );
  });

  it.each([
    '<script>alert(1)</script>',
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
    '<image href="https://example.org/a.png"/>',
    '<rect onload="alert(1)"/>',
    '<use href="https://example.org/a.svg#a"/>',
    '<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="data:image/svg+xml,a"/>',
    '<rect fill="url(https://example.org/#a)"/>',
    '<rect style="fill: url(\'//example.org/a\')"/>',
    '<style>@import "https://example.org/a.css";</style>',
    '<a href="javascript:alert(1)"><text>x</text></a>',
  ])('rejects active or external content: %s', (part) => {
    expect(verdictOf(svg(part))).toBe('unsafe');
  });

  it('adds a size if there is none', () => {
    const judged = sanitizeSvg('<svg viewBox="0 0 24 12"><path d="M0 0"/></svg>');
    expect(judged).toHaveProperty('svg', expect.stringContaining('width="240" height="120"'));
  });

  it('rejects entities', () => {
    expect(verdictOf(`<!DOCTYPE svg [<!ENTITY a "aaa">]>${svg('&a;')}`)).toBe('unsafe');
  });

  it.each([
    ['what is no XML', svg('<g>')],
    ['what refers to itself', svg('<g id="a"><use href="#a"/></g>')],
    [
      'what is drawn many times over',
      svg(
        [...'abcdefghij']
          .map(
            (id, at, all) =>
              `<g id="${id}">${`<use href="#${all[at + 1] ?? ''}"/>`.repeat(10)}</g>`,
          )
          .join(''),
      ),
    ],
    ['what is very long', svg(`<path d="${'M0 0'.repeat(100_000)}"/>`)],
  ])('rejects %s', (_, text) => {
    expect(verdictOf(text)).toBe('too-large');
  });
});
