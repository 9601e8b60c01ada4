/** Punctuation of Chinese, Japanese and Korean. It is not part of an address, though GFM takes it for one. */
const punctuation = '。，、；：？！…・「」『』【】《》〈〉〔〕（）［］“”‘’';
const tail = new RegExp(`([${punctuation}].*?)(?=https?://|www\\.|$)`, 's');

/**
 * Splits an address that GFM found in a text where a sentence of Chinese, Japanese or Korean continues without a blank.
 *
 * @returns addresses and the texts between them in turn: an address first, a text at each odd index
 */
export function splitAutolink(address: string): string[] {
  return address.split(tail);
}
