/** Punctuation of Chinese, Japanese and Korean. It is not part of an address, though GFM takes it for one. */
const punctuation = '。，、；：？！…・「」『』【】《》〈〉〔〕（）［］“”‘’';
const addresses = /(?:https?:\/\/|www\.)[^\s<]*/g;
const tail = new RegExp(`([${punctuation}].*?)(?=https?://|www\\.|$)`, 's');

/** A byte order mark: it is not drawn, and ends an address, because it is a blank for Markdown. */
export const addressEnd = '\uFEFF';

/**
 * Marks in a Markdown text where an address ends because a sentence of Chinese, Japanese or Korean continues without
 * a blank. The Markdown behind it is then read, too. The caller removes `addressEnd` from what it has parsed.
 */
export function markAddressEnds(markdown: string): string {
  return markdown.replace(addresses, (address) =>
    // An address first, and a text at each odd index.
    address
      .split(tail)
      .map((part, index) => (index % 2 === 1 ? addressEnd + part : part))
      .join(''),
  );
}
