/** Where a sentence ends: with a blank after it, or with a sign that needs none. */
const sentenceEnd = /[.!?…](?=["'”’)\]]?\s)|[。！？]/gu;

/**
 * The longest beginning of a text that fits: whole sentences, or whole words and "…" where not even
 * the first sentence does.
 *
 * @param fits says of a text whether it does; of one that does, so does every beginning
 */
export function shortenText(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) {
    return text;
  }
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index + 1);
  const sentences = mostThat(ends.length, (count) => fits(text.slice(0, ends[count - 1])));
  if (sentences > 0) {
    return text.slice(0, ends[sentences - 1]);
  }
  const points = [...text];
  const cut = (count: number) => `${points.slice(0, count).join('')}…`;
  const part = cut(mostThat(points.length, (count) => fits(cut(count))));
  const words = part.replace(/\s+\S*…$/u, '…');
  return words === '…' ? part : words;
}

/** The most of something that fits: if so many do, fewer do. */
function mostThat(count: number, fits: (count: number) => boolean): number {
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
