/** A sentence end: followed by whitespace, or a full-width mark that needs none. */
const sentenceEnd = /[.!?…](?=["'”’)\]]?\s)|[。！？]/gu;

/**
 * Truncates a text to what fits: whole sentences, or words and "…" if not even one sentence fits.
 *
 * @param fits must be monotonic: if a text fits, so does every prefix
 */
export function shortenText(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) {
    return text;
  }
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index + 1);
  const sentences = findLargest(ends.length, (count) => fits(text.slice(0, ends[count - 1])));
  if (sentences > 0) {
    return text.slice(0, ends[sentences - 1]);
  }
  const points = [...text];
  const cut = (count: number) => `${points.slice(0, count).join('')}…`;
  const part = cut(findLargest(points.length, (count) => fits(cut(count))));
  const words = part.replace(/\s+\S*…$/u, '…');
  return words === '…' ? part : words;
}

/** Binary search for the largest number that fits. */
function findLargest(count: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}
