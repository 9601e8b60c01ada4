/** A longer one is none. In a paragraph, looking for its end must not take the text's length squared. */
export const longestInline = 1_000;
export const longestBlock = 4_000;

export type Opening = '$' | '$$' | '\\(' | '\\[';

export const closings: Record<Opening, string> = {
  $: '$',
  $$: '$$',
  '\\(': '\\)',
  '\\[': '\\]',
};

interface Candidate {
  open: Opening;
  /** What is between the marks. */
  tex: string;
  /** The characters before and behind it, empty at the ends of a line. */
  before: string;
  after: string;
}

/** Words and nothing else: somebody wrote `\[citation needed\]`, or `$$ or $$`. */
const onlyWords = /^\s*[\p{L}]{2,}(?:[\s,]+[\p{L}]{2,})*\s*$/u;

/** A sum of money, and words or another behind it: `$5 and 10$`. */
const money = /^\d(?:[^\\]*?\p{L}{2}|[\d.,;–-]*\s[\d.,;\s–-]*$)/u;

/** Whether what is between marks is a formula, and not money or a bracket that was escaped. */
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

/** Where what ends a formula begins in a text; -1 where it does not. */
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
