import { stemmer } from 'stemmer';

/** Longer words have no stem that a search would find. */
const plainWord = /^[a-z]{3,64}$/;

/**
 * The stem of an English word in lower case, by Porter's algorithm (1980): `extracting`, `extracted`
 * and `extraction` become `extract`. Words with other letters than a to z are unchanged.
 */
export function stemEnglish(word: string): string {
  return plainWord.test(word) ? stemmer(word) : word;
}

/**
 * The stem of a German word in lower case and without accents, by Snowball's algorithm:
 * `Rechnungen`, `Rechnung` and `Rechnungs` become `rechnung`. Words with other letters are
 * unchanged.
 */
export function stemGerman(word: string): string {
  if (!plainWord.test(word)) {
    return word;
  }
  const first = Math.max(3, regionAfter(word, 0));
  const second = regionAfter(word, regionAfter(word, 0));
  return cutDerived(cutInflected(cutPlural(word, first), first), first, second);
}

/** Start of the region after the first consonant that follows a vowel. */
function regionAfter(word: string, start: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(start));
  return found ? start + found.index + 2 : word.length;
}

function cutPlural(word: string, first: number): string {
  const suffix = /(?:ern|em|er|en|es|e)$|(?<=[bdfghklmnrt])s$/.exec(word);
  if (!suffix || suffix.index < first) {
    return word;
  }
  const stem = word.slice(0, suffix.index);
  return /^e/.test(suffix[0]) && !/^(?:em|ern|er)$/.test(suffix[0]) && stem.endsWith('niss')
    ? stem.slice(0, -1)
    : stem;
}

function cutInflected(word: string, first: number): string {
  const suffix = /(?:est|en|er)$|(?<=.{3}[bdfghklmnt])st$/.exec(word);
  return suffix && suffix.index >= first ? word.slice(0, suffix.index) : word;
}

function cutDerived(word: string, first: number, second: number): string {
  const suffix = /(?:isch|lich|heit|keit|end|ung|ig|ik)$/.exec(word);
  if (!suffix || suffix.index < second) {
    return word;
  }
  const stem = word.slice(0, suffix.index);
  switch (suffix[0]) {
    case 'end':
    case 'ung':
      return cutIf(stem, /(?<!e)ig$/, second);
    case 'lich':
    case 'heit':
      return cutIf(stem, /e[rn]$/, first);
    case 'keit':
      return cutIf(stem, /lich$|ig$/, second);
    default:
      return stem.endsWith('e') ? word : stem;
  }
}

function cutIf(stem: string, suffix: RegExp, from: number): string {
  const at = stem.search(suffix);
  return at >= from ? stem.slice(0, at) : stem;
}
