import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test('compares words in lower case without accents, and splits compounds', () => {
  expect(searchWords('Pre-commit HOOKS, naïve_façade')).toEqual([
    'pre',
    'commit',
    'hooks',
    'naive',
    'facade',
  ]);
  expect(searchWords('Straße — Übersetzung')).toEqual(['strasse', 'ubersetzung']);
});

test('recognizes languages such as C++ and F#', () => {
  expect(searchWords('C++, C# and F#')).toEqual(['c++', 'c#', 'and', 'f#']);
});

test('splits scripts without blanks into pairs of characters', () => {
  expect(searchWords('提取表格')).toEqual(['提取', '取表', '表格']);
  expect(searchWords('PDF表 и Привет')).toEqual(['pdf', '表', 'привет']);
});

test('ignores keys and encoded data', () => {
  expect(searchWords(`a ${'x'.repeat(41)} data`)).toEqual(['data']);
});
