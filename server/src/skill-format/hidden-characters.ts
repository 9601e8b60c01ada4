const unseen = /[\p{Cf}\p{Cc}\p{Cs}\u2028\u2029]/gu;
/** Joiners, and marks that only say where a line may break, belong to some scripts and to emoji. */
const suspicious =
  /[\u0080-\u009F\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
const allSuspicious = new RegExp(suspicious, 'gu');

/** Whether prose holds what cannot be seen, or what turns the direction of writing. */
export function hasHiddenCharacters(prose: string): boolean {
  return suspicious.test(prose);
}

export function withoutHiddenCharacters(text: string): string {
  return text.replace(allSuspicious, '');
}

/** How many of them there are. */
export function countHiddenCharacters(prose: string): number {
  let count = 0;
  for (const _ of prose.matchAll(allSuspicious)) {
    count += 1;
  }
  return count;
}

/** Makes a name harmless to show: what cannot be seen is written as `\u{200b}`. */
export function reveal(name: string): string {
  return name.replace(unseen, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}
