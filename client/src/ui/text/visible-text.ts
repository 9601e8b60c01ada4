/**
 * Turns the direction of what follows, has no width, or is a blank that counts as a letter, also in the name of a
 * variable: nobody sees them, and models read them.
 */
const hidden =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu;

/** A text of others with the characters shown that would hide or turn round what it says. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });
}
