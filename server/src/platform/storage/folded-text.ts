/**
 * A text without case and accents, for searching. Folding is independent for each part of a text.
 */
export function foldedText(text: string): string {
  return /^\p{ASCII}*$/u.test(text)
    ? text.toLowerCase()
    : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
}
