import prototypes from 'unhomoglyph/data.json' with { type: 'json' };

/** Each confusable character with what it looks like (`confusables.txt` of Unicode). */
const lookalikes: ReadonlyMap<string, string> = new Map(Object.entries(prototypes));

/**
 * Returns the shape of a text. Texts with the same skeleton can be mistaken for each other (Unicode Technical
 * Standard 39, section 4). Not for people to read: `m` becomes `rn`.
 */
export function skeletonOf(text: string): string {
  const parts = [...text.normalize('NFD')].map((letter) => lookalikes.get(letter) ?? letter);
  return parts.join('').normalize('NFD').toLowerCase();
}
