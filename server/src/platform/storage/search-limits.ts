/** Longer texts are truncated for the index; this is the maximum length of a message. */
export const maxSearchedCharacters = 100_000;
/** The upper bits of a text's id are its owner's number; the lower ones count up. */
export const idsPerOwner = 2 ** 32;
