/** The sources that a mark in a text cites. */
export interface Citation {
  /** The mark as it is in the text. */
  mark: string;
  links: readonly { title: string; url: string }[];
}

/** `cite…turn0search1…`, between characters of the private use area; and `【12†source】`. */
const marks = /\ue200[^\ue200\ue201]{0,2000}\ue201|【\d{1,4}(?::\d{1,4})?†[^【】\n]{0,200}】/g;
/** Remains of incomplete marks. */
const remains = /[\ue200-\ue206]/g;
/** The same where the private characters were lost. */
const bare =
  /(?:file)?cite(?:turn\d{1,4}(?:search|view|news|file|image|forecast|finance|sports)\d{1,4})+/g;

/**
 * Replaces the marks that an export has for its sources by links, and removes those without one. Takes linear time.
 */
export function replaceCitations(text: string, citations: readonly Citation[] = []): string {
  if (!/[\ue200-\ue206【]|citeturn\d/.test(text)) {
    return text;
  }
  const known = new Map(citations.map(({ mark, links }) => [mark, links]));
  const link = (mark: string) =>
    (known.get(mark) ?? [])
      .map(({ title, url }) => ` [${title.replace(/[[\]\\\s]+/g, ' ').trim() || url}](${url})`)
      .join('');
  return text.replace(marks, link).replace(bare, link).replace(remains, '');
}
