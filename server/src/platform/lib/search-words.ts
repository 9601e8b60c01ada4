const asciiWords = /c\+\+|[cf]#|[a-z0-9]+/g;
const otherRuns = /[^\0-\x7f]+/g;
const otherWords = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without blanks between words. */
const unspaced =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)/u;
const accented = /[\u00df-\u024f]/g;
const isAscii = /^[\0-\x7f]*$/;
/** Longer strings are keys or encoded data. */
const maxWordLength = 40;

/**
 * Normalized words of a text: lower case, without accents; bigrams for scripts without blanks.
 * Words in non-Latin scripts come last.
 */
export function searchWords(text: string): string[] {
  if (isAscii.test(text)) {
    return wordsIn(text.toLowerCase(), asciiWords);
  }
  const folded = foldLetters(text);
  const words = wordsIn(folded, asciiWords);
  for (const run of folded.match(otherRuns) ?? []) {
    for (const part of run.match(otherWords) ?? []) {
      words.push(...wordsOfScript(part));
    }
  }
  return words;
}

/** A text in lower case, without the accents of Latin letters. */
export function foldLetters(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(accented, withoutAccent);
}

function wordsIn(text: string, pattern: RegExp): string[] {
  return (text.match(pattern) ?? []).filter(isWord);
}

function isWord({ length }: string): boolean {
  return length > 1 && length <= maxWordLength;
}

function withoutAccent(letter: string): string {
  return letter === 'ß' ? 'ss' : (letter.normalize('NFD')[0] ?? letter);
}

/** Every other part is in a script without blanks. */
function wordsOfScript(run: string): string[] {
  return run
    .split(unspaced)
    .flatMap((part, at) => (at % 2 === 1 ? pairsOf(part) : [part].filter(isWord)));
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, before) => `${characters[before]}${character}`);
}
