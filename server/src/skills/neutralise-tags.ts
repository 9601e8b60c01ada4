/** A sign that opens a tag, in any width, and what may belong to it: at least as long as our shortest. */
const candidate = /[<＜﹤][^<＜﹤]{10,}/g;
/** What a reader does not see, or skips over; a closing tag's slash as well. */
const skipped = /[\s/\\／⁄∕\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const ourTag =
  /^<(?:skill_content|skill_dependencies|skill_resources|skill_file|available_skills|attachment|user_instructions)/;
const longestTag = 40;

/**
 * Keeps a text from ending the block in which it is, and from posing as another. A tag of ours is
 * found in full-width letters too, and with blanks or invisible characters in it. All else stays.
 */
export function neutraliseTags(text: string): string {
  return text.replace(candidate, (part) =>
    ourTag.test(plain(part)) ? `&lt;${part.slice(1)}` : part,
  );
}

/** How the beginning of a text looks to a reader. */
function plain(text: string): string {
  const seen = text.replace(skipped, '').slice(0, longestTag);
  return seen.normalize('NFKC').toLowerCase();
}
