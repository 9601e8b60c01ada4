/** Of a longer text only the beginning is searched: as much as a user may send at once. */
export const searchedCharacters = 100_000;
/** A text's id is its owner's number in these upper bits, and counts up in the lower ones. */
export const idsPerOwner = 2 ** 32;
