import { expect, test } from 'vitest';
import { revealHiddenCharacters } from './visible-text.ts';

test.each([
  ['a\u202eb.md', 'a[U+202E]b.md'],
  ['a.md\u{e0041}\u{e0101}', 'a.md[U+E0041][U+E0101]'],
  ['const \u3164 = x', 'const [U+3164] = x'],
  ['zero\u200bwidth\ufeff', 'zero[U+200B]width[U+FEFF]'],
  ['نص عربي', 'نص عربي'],
  ['👩‍👧 می‌خواهم', '👩‍👧 می‌خواهم'],
])('%j is shown as %j', (text, shown) => {
  expect(revealHiddenCharacters(text)).toBe(shown);
});
