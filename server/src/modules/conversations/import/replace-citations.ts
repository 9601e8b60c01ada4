/** A citation mark and its sources. */
export interface Citation {
  /** The mark as it occurs in the text. */
  mark: string;
  links: readonly { title: string; url: string }[];
}

/** Citation marks: `cite…turn0search1…` between private-use characters, and `【12†source】`. */
const marks = /\ue200[^\ue200\ue201]{0,2000}\ue201|【\d{1,4}(?::\d{1,4})?†[^【】\n]{0,200}】/g;
/** Remnants of incomplete marks. */
const remnants = /[\ue200-\ue206]/g;
/** Marks whose private-use characters were lost. */
const bareMarks =
  /(?:file)?cite(?:turn\d{1,4}(?:search|view|news|file|image|forecast|finance|sports)\d{1,4})+/g;

/** Replaces citation marks with links and removes those without a source. Takes linear time. */
export function replaceCitations(text: string, citations: readonly Citation[] = []): string {
  if (!/[\ue200-\ue206【]|citeturn\d/.test(text)) {
    return text;
  }
  const known = new Map(citations.map(({ mark, links }) => [mark, links]));
  const link = (mark: string) =>
    (known.get(mark) ?? [])
      .map(({ title, url }) => ` [${title.replace(/[[\]\\\s]+/g, ' ').trim() || url}](${url})`)
      .join('');
  return text.replace(marks, link).replace(bareMarks, link).replace(remnants, '');
}
