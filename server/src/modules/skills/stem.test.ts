import { expect, test } from 'vitest';
import { stemEnglish, stemGerman } from './stem.ts';

test.each([
  ['extract', ['extract', 'extracts', 'extracted', 'extracting', 'extraction']],
  ['relat', ['relate', 'relates', 'relational']],
  ['poni', ['ponies', 'pony']],
  ['control', ['control', 'controlled', 'controlling']],
  ['happi', ['happy', 'happiness']],
  ['sky', ['sky']],
  ['feed', ['feed']],
])('English words become "%s"', (stem, words) => {
  expect(words.map(stemEnglish)).toEqual(words.map(() => stem));
});

test.each([
  ['rechnung', ['rechnung', 'rechnungen', 'rechnungs']],
  ['tabell', ['tabelle', 'tabellen']],
  ['bearbeit', ['bearbeiten', 'bearbeitung']],
  ['freundlich', ['freundlich', 'freundlichkeit']],
  ['ergebnis', ['ergebnis', 'ergebnisse']],
])('German words become "%s"', (stem, words) => {
  expect(words.map(stemGerman)).toEqual(words.map(() => stem));
});

test('does not change words with digits or other letters', () => {
  expect(stemEnglish('s3s')).toBe('s3s');
  expect(stemGerman('表格')).toBe('表格');
  const long = 'ational'.repeat(1000);
  expect(stemEnglish(long)).toBe(long);
});
