/** CJK punctuation, which ends a URL, although GFM includes it. */
const punctuation = '。，、；：？！…・「」『』【】《》〈〉〔〕（）［］“”‘’';
const addresses = /(?:https?:\/\/|www\.)[^\s<]*/g;
const tail = new RegExp(`([${punctuation}].*?)(?=https?://|www\\.|$)`, 's');

/** A byte order mark: invisible, and it ends a URL, because Markdown treats it as a blank. */
export const addressEnd = '\uFEFF';

/**
 * Marks the ends of URLs in Markdown where a Chinese, Japanese or Korean sentence continues without
 * a blank, so that Markdown after it is parsed. The caller removes `addressEnd` from the result.
 */
export function markAddressEnds(markdown: string): string {
  return markdown.replace(addresses, (address) =>
    // Even items are URLs, odd items the texts after them.
    address
      .split(tail)
      .map((part, index) => (index % 2 === 1 ? addressEnd + part : part))
      .join(''),
  );
}
