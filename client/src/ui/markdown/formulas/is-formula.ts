/** Longer text is not a formula. Bounds the search for the end, which must not be quadratic. */
export const maxInlineLength = 1_000;
export const maxBlockLength = 4_000;

export type Opening = '$' | '$$' | '\\(' | '\\[';

export const closings: Record<Opening, string> = {
  $: '$',
  $$: '$$',
  '\\(': '\\)',
  '\\[': '\\]',
};

interface Candidate {
  open: Opening;
  /** The text between the delimiters. */
  tex: string;
  /** The characters before and after it, empty at the ends of a line. */
  before: string;
  after: string;
}

/** Plain words only, as in `\[citation needed\]`, or `$$ or $$`. */
const onlyWords = /^\s*[\p{L}]{2,}(?:[\s,]+[\p{L}]{2,})*\s*$/u;

/** Amounts of money, with text between: `$5 and 10$`. */
const money = /^\d(?:[^\\]*?\p{L}{2}|[\d.,;–-]*\s[\d.,;\s–-]*$)/u;

/** Whether the text between delimiters is a formula, rather than money or an escaped bracket. */
export function isFormula({ open, tex, before, after }: Candidate): boolean {
  if (tex.trim() === '' || onlyWords.test(tex)) {
    return false;
  }
  if (open === '\\(' || open === '\\[') {
    return !(open === '\\[' && after === '(');
  }
  if (open === '$$') {
    return before !== '$' && after !== '$' && !tex.startsWith('$');
  }
  return (
    !/[\p{L}\p{N}$]/u.test(before) &&
    !/[\p{L}\p{N}$]/u.test(after) &&
    !/^\s|\s$/.test(tex) &&
    !money.test(tex)
  );
}

/** Position of the closing delimiter in a text; -1 if there is none. */
export function closingAt(text: string, open: Opening): number {
  const close = closings[open];
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith(close, at)) {
      return at;
    }
    if (text[at] === '\\') {
      at += 1;
    }
  }
  return -1;
}
