/** An opening angle bracket of any width and what follows: at least as long as our shortest tag. */
const candidate = /[<＜﹤][^<＜﹤]{10,}/g;
/** Characters that a reader does not see or skips, including a closing tag's slash. */
const skipped = /[\s/\\／⁄∕\p{C}\p{M}\p{Default_Ignorable_Code_Point}]/gu;
const ourTag =
  /^<(?:skill_content|skill_dependencies|skill_resources|skill_file|available_skills|attachment|user_instructions)/;
const maxTagLength = 40;

/**
 * Prevents prompt injection: a text cannot end its enclosing block or imitate another. Our tags are
 * found even in full-width letters or with blanks or invisible characters in them. Everything else
 * is unchanged.
 */
export function neutraliseTags(text: string): string {
  return text.replace(candidate, (part) =>
    ourTag.test(plain(part)) ? `&lt;${part.slice(1)}` : part,
  );
}

/** The visible form of a text's beginning. */
function plain(text: string): string {
  const seen = text.replace(skipped, '').slice(0, maxTagLength);
  return seen.normalize('NFKC').toLowerCase();
}
