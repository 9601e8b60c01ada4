/** A skill or prompt that is searched by typing, in its normalized form. */
export interface Searchable {
  /** Each text begins with a space, so that every word has one before it. */
  name: string;
  otherNames: string;
  description: string;
}

interface Texts {
  name: string;
  /** Alternative names: a display name, tags. */
  otherNames: readonly string[];
  description: string;
}

/** Further words add no information. */
const maxWords = 8;

/**
 * Returns a function that scores how well an item matches the typed text, from 1 (its exact name)
 * to 0 (no match). A prefix of the name ranks above a substring, a name above a description. Words
 * may be in any order; `-`, `_`, `:` and spaces are equivalent.
 */
export function createScorer(typed: string): (searchable: Searchable) => number {
  const query = normalize(typed);
  const words = splitWords(typed);
  const starts = words.map((word) => ` ${word}`);
  const [word = ''] = words;
  const isIn = (...texts: string[]) =>
    starts.every((start) => texts.some((text) => text.includes(start)));

  return ({ name, otherNames, description }) => {
    if (name === query) {
      return 1;
    }
    if (name.startsWith(query)) {
      return 0.9;
    }
    if (isIn(name)) {
      return 0.8;
    }
    if (name.includes(query.trim())) {
      return 0.7;
    }
    if (isIn(name, otherNames)) {
      return 0.6;
    }
    // One word may match anywhere; several must each match the start of a word, or too much would
    // match.
    if (words.length === 1 && otherNames.includes(word)) {
      return 0.5;
    }
    if (isIn(name, otherNames, description)) {
      return 0.4;
    }
    return words.length === 1 && description.includes(word) ? 0.3 : 0;
  };
}

/** Cache the result if many items are searched often: it costs more than the search. */
export function searchable({ name, otherNames, description }: Texts): Searchable {
  return {
    name: normalize(name),
    otherNames: otherNames.map(normalize).join(' '),
    description: normalize(description),
  };
}

/** The normalized words of a query. */
export function splitWords(typed: string): string[] {
  const words = normalize(typed).trim().split(' ');
  return [...new Set(words)].slice(0, maxWords);
}

function normalize(text: string): string {
  const joined = text.toLowerCase().replace(/[-_:\s]+/g, ' ');
  return ` ${joined.trim()}`;
}
