/** What is looked for by typing, a skill or a prompt, in the form in which it is compared. */
export interface Searchable {
  /** Each begins with a space, so that every word in it has one before it. */
  name: string;
  otherNames: string;
  description: string;
}

interface Texts {
  name: string;
  /** What else it goes by: a display name, tags. */
  otherNames: readonly string[];
  description: string;
}

/** More words than that say nothing more about what is meant. */
const mostWords = 8;

/**
 * Gives how well something fits what was typed to find it, from 1, its very name, down to 0, not at
 * all. A name that begins with it comes before one that only holds it, a name before a description.
 * Several words may be in any order; `-`, `_`, `:` and spaces are the same.
 */
export function scorerFor(typed: string): (searchable: Searchable) => number {
  const query = plain(typed);
  const words = wordsOf(typed);
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
    // One word may be inside another; several have to begin one each, or half the world would fit.
    if (words.length === 1 && otherNames.includes(word)) {
      return 0.5;
    }
    if (isIn(name, otherNames, description)) {
      return 0.4;
    }
    return words.length === 1 && description.includes(word) ? 0.3 : 0;
  };
}

/** To be kept where much is searched often: it costs more than the search. */
export function searchable({ name, otherNames, description }: Texts): Searchable {
  return {
    name: plain(name),
    otherNames: otherNames.map(plain).join(' '),
    description: plain(description),
  };
}

/** The words of what was typed, as they are compared. */
export function wordsOf(typed: string): string[] {
  const words = plain(typed).trim().split(' ');
  return [...new Set(words)].slice(0, mostWords);
}

function plain(text: string): string {
  const joined = text.toLowerCase().replace(/[-_:\s]+/g, ' ');
  return ` ${joined.trim()}`;
}
