/**
 * `$ARGUMENTS` and `$1` to `$9`, but neither `$10`, nor `$1.50` or `$5,000`, nor what belongs to a
 * spreadsheet's cell as in `$H$1`.
 */
const placeholder = /(?<!\$)\$ARGUMENTS(?!\w|[.,]\d)|(?<![A-Za-z_$])\$([1-9])(?!\w|[.,]\d)/g;
const wholeText = /(?<!\$)\$ARGUMENTS(?!\w|[.,]\d)/;
/** Pairs of quotation marks, also those that phones and word processors type. */
const quotations = [
  ...[
    `"([^"]*)"`,
    `'([^']*)'`,
    '“([^“”]*)”',
    '„([^„“”]*)[“”]',
    '”([^”]*)”',
    '‘([^‘’]*)’',
    '‚([^‚‘’]*)[‘’]',
  ],
  ...['«([^«»]*)»', '»([^«»]*)«', '‹([^‹›]*)›', '「([^「」]*)」', '『([^『』]*)』'],
];
/** A word, or several that quotation marks hold together. An apostrophe within a word is none. */
const word = new RegExp(`(?:${quotations.join('|')})(?!\\S)|\\S+`, 'g');
const maxWords = 9;
/** Characters put in, and placeholders looked at: more than twice the longest message. */
const maxFilled = 250_000;

/**
 * Puts what a user wrote after `/name` into a skill's body. A placeholder for which there is nothing
 * stays as it is. Done in one pass, so that what the user wrote is never expanded itself. Undefined
 * when the body repeats it so often that it would grow by more than `maxFilled`.
 */
export function fillArguments(body: string, written: string): string | undefined {
  const whole = written.trim();
  const words = wordsOf(whole);
  const parts: string[] = [];
  let end = 0;
  let room = maxFilled;
  for (const { 0: verbatim, 1: number, index } of body.matchAll(placeholder)) {
    const value = number === undefined ? whole : words[Number(number) - 1];
    room -= 1 + (value?.length ?? 0);
    if (room < 0) {
      return undefined;
    }
    if (value) {
      parts.push(body.slice(end, index), value);
      end = index + verbatim.length;
    }
  }
  return parts.join('') + body.slice(end);
}

/**
 * Whether a body has a placeholder for what a user wrote. `$ARGUMENTS` is nothing else; `$1` may as well
 * belong to a script or a formula, unless the author declares in the frontmatter what is to be written.
 */
export function takesArguments(body: string, declared: boolean): boolean {
  return declared || wholeText.test(body);
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [verbatim, ...quoted] of text.matchAll(word)) {
    words.push(quoted.find((each) => each !== undefined) ?? verbatim);
    if (words.length === maxWords) {
      break;
    }
  }
  return words;
}
