import { describe, expect, it } from 'vitest';
import { isExpensiveToHighlight, isExpensiveToWrap } from './expensive-text.ts';

const paragraph = `${'Words of an ordinary kind. '.repeat(80)}\n`;

describe('an expensive text', () => {
  it.each([
    ['a long text of paragraphs', `${paragraph}\n`.repeat(500), false, false],
    ['the same with the line breaks of Windows', `${paragraph}\r\n\r\n`.repeat(50), false, false],
    ['one passage of many lines', '[a](\n'.repeat(20_000), true, false],
    ['one very long line', '[a]('.repeat(20_000), true, true],
  ])('is detected: %s', (_, text, colour, wrap) => {
    expect(isExpensiveToHighlight(text)).toBe(colour);
    expect(isExpensiveToWrap(text)).toBe(wrap);
  });
});
