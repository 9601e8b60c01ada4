/**
 * The stem of a lower-case English word by Porter's algorithm (1980): `extracting`, `extracted` and
 * `extraction` become `extract`. Words with other letters than a to z are unchanged.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) {
    return word;
  }
  return tidyEnd(cutSuffix(cutSuffix(endings(word), longSuffixes, 0), shortSuffixes, 0));
}

/** Plurals, `-ed`, `-ing`, and a `y` after a consonant. */
function endings(word: string): string {
  return softenY(participle(plural(word)));
}

function plural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss')) {
    return word;
  }
  return word.endsWith('sses') || word.endsWith('ies') ? word.slice(0, -2) : word.slice(0, -1);
}

function participle(word: string): string {
  if (word.endsWith('eed')) {
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  }
  const suffix = /ed$|ing$/.exec(word)?.[0];
  const stem = suffix === undefined ? word : word.slice(0, -suffix.length);
  if (stem === word || !hasVowel(stem)) {
    return word;
  }
  if (/(?:at|bl|iz)$/.test(stem)) {
    return `${stem}e`;
  }
  if (/([^aeiou])\1$/.test(stem) && !/[lsz]$/.test(stem)) {
    return stem.slice(0, -1);
  }
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function softenY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Suffixes = Readonly<Record<string, string>>;

/** Replacements of suffixes after a stem with at least one syllable. */
const longSuffixes: Suffixes = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};

const shortSuffixes: Suffixes = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};

/** Suffixes that are removed after more than one syllable. */
const lastSuffixes: Suffixes = Object.fromEntries(
  'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize ion'
    .split(' ')
    .map((suffix) => [suffix, '']),
);

const maxSuffixLength = 7;

/** Replaces the longest suffix in the table, if the remaining stem is long enough. */
function cutSuffix(word: string, suffixes: Suffixes, above: number): string {
  for (let length = Math.min(maxSuffixLength, word.length - 1); length > 1; length -= 1) {
    const suffix = word.slice(-length);
    const instead = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : undefined;
    if (instead !== undefined) {
      const stem = word.slice(0, -length);
      const fits = measure(stem) > above && (suffix !== 'ion' || /[st]$/.test(stem));
      return fits ? stem + instead : word;
    }
  }
  return word;
}

function tidyEnd(word: string): string {
  const cut = cutSuffix(word, lastSuffixes, 1);
  const stem = cut.slice(0, -1);
  const syllables = measure(stem);
  if (cut.endsWith('e') && (syllables > 1 || (syllables === 1 && !endsShort(stem)))) {
    return stem;
  }
  return cut.endsWith('ll') && syllables > 1 ? stem : cut;
}

/** Number of vowel-consonant sequences: approximately syllables. */
function measure(stem: string): number {
  return shapeOf(stem).match(/v+c+/g)?.length ?? 0;
}

function hasVowel(stem: string): boolean {
  return shapeOf(stem).includes('v');
}

/** Whether it ends with consonant, vowel, consonant, the last not being w, x or y. */
function endsShort(stem: string): boolean {
  return /cvc$/.test(shapeOf(stem)) && !/[wxy]$/.test(stem);
}

/** `c` for each consonant, `v` for each vowel; a `y` after a consonant is a vowel. */
function shapeOf(stem: string): string {
  let shape = '';
  for (const letter of stem) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && shape.endsWith('c'));
    shape += isVowel ? 'v' : 'c';
  }
  return shape;
}
