/**
 * Characters that change text direction, have no width, or are blank letters, also in identifiers: invisible to
 * people, but read by models (prompt injection).
 */
const hidden =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** Makes invisible and direction-changing characters in untrusted text visible. */
export function revealHiddenCharacters(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });
}
