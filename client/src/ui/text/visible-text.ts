/** Turns the direction of what follows, or has no width: nobody sees them, and models read them. */
const hidden = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A text of others with the characters shown that would hide or turn round what it says. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });
}
