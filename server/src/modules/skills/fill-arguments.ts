/**
 * `$ARGUMENTS` and `$1` to `$9`, but not `$10`, amounts such as `$1.50` or `$5,000`, or spreadsheet
 * cells such as `$H$1`.
 */
const placeholder = /(?<!\$)\$ARGUMENTS(?!\w|[.,]\d)|(?<![A-Za-z_$])\$([1-9])(?!\w|[.,]\d)/g;
const wholeText = /(?<!\$)\$ARGUMENTS(?!\w|[.,]\d)/;
/** Pairs of quotation marks, including those that phones and word processors insert. */
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
/** A word, or several in quotation marks. An apostrophe within a word is not a quotation mark. */
const word = new RegExp(`(?:${quotations.join('|')})(?!\\S)|\\S+`, 'g');
const maxWords = 9;
/** Maximum inserted characters plus placeholders: more than twice the longest message. */
const maxFilled = 250_000;

/**
 * Inserts the arguments after `/name` into a skill's body. Placeholders without an argument stay.
 * Runs in one pass, so that arguments are never expanded themselves. Returns undefined if the body
 * would grow by more than `maxFilled`.
 */
export function fillArguments(body: string, written: string): string | undefined {
  const whole = written.trim();
  const words = wordsOf(whole);
  const parts: string[] = [];
  let end = 0;
  let remaining = maxFilled;
  for (const { 0: verbatim, 1: number, index } of body.matchAll(placeholder)) {
    const value = number === undefined ? whole : words[Number(number) - 1];
    remaining -= 1 + (value?.length ?? 0);
    if (remaining < 0) {
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
 * Whether a body has placeholders for arguments. `$ARGUMENTS` is unambiguous. `$1` may belong to a
 * script or a formula, unless the frontmatter declares arguments.
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
