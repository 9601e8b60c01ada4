const invisible = /[\p{Cf}\p{Cc}\p{Cs}\u2028\u2029]/gu;
/** Joiners and optional line breaks are allowed: some scripts and emoji need them. */
const suspicious =
  /[\u0080-\u009F\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
const allSuspicious = new RegExp(suspicious, 'gu');

/** Whether a text contains invisible characters, or ones that change the writing direction. */
export function hasHiddenCharacters(prose: string): boolean {
  return suspicious.test(prose);
}

export function withoutHiddenCharacters(text: string): string {
  return text.replace(allSuspicious, '');
}

/** The number of such characters. */
export function countHiddenCharacters(prose: string): number {
  let count = 0;
  for (const _ of prose.matchAll(allSuspicious)) {
    count += 1;
  }
  return count;
}

/** Makes a name safe to display: invisible characters are written as `\u{200b}`. */
export function reveal(name: string): string {
  return name.replace(invisible, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}
