/** A text without case and accents, in which a search looks for its words. Its parts one by one make the same. */
export function foldedText(text: string): string {
  return /^\p{ASCII}*$/u.test(text)
    ? text.toLowerCase()
    : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
}
