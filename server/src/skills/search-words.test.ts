import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test('words are compared in lower case and without accents, whatever joins them', () => {
  expect(searchWords('Pre-commit HOOKS, naïve_façade')).toEqual([
    'pre',
    'commit',
    'hooks',
    'naive',
    'facade',
  ]);
  expect(searchWords('Straße — Übersetzung')).toEqual(['strasse', 'ubersetzung']);
});

test('languages named by a letter and signs are words', () => {
  expect(searchWords('C++, C# and F#')).toEqual(['c++', 'c#', 'and', 'f#']);
});

test('what is written without blanks is compared by every two characters', () => {
  expect(searchWords('提取表格')).toEqual(['提取', '取表', '表格']);
  expect(searchWords('PDF表 и Привет')).toEqual(['pdf', '表', 'привет']);
});

test('keys and encoded data are no words', () => {
  expect(searchWords(`a ${'x'.repeat(41)} data`)).toEqual(['data']);
});
