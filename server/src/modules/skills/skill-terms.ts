import { listLanguages } from '@knowhow/shared/skills/edited-translations';
import type { SkillTranslations } from '@knowhow/shared/skills/skill-translations';
import { searchWords } from '../../platform/lib/search-words.ts';
import { detectLanguage, stopWords } from '../../platform/lib/stop-words.ts';
import { stemEnglish, stemGerman } from './stem.ts';

/** The indexed texts of a skill. */
export interface SkillTexts {
  name: string;
  displayName: string;
  description: string;
  translations?: SkillTranslations | undefined;
  tags: readonly string[];
  /** Trigger words declared by the skill. */
  triggers: string;
  body: string;
}

/** The terms of a skill, by ascending hash. */
export interface TermVector {
  hashes: Uint32Array;
  /** Weight of each term, from 1 to 127, with `nameBit` if it is in the name. */
  weights: Uint8Array;
  /** Number of distinct terms in the name. */
  nameTerms: number;
}

export const nameBit = 0x80;
export const heaviest = 0x7f;

/** Maximum characters of a body; the rest seldom says what a skill is for. */
const maxBody = 64 * 1024;
/** A skill with more distinct terms keeps the heaviest. */
const maxTerms = 1000;
/** Weight above which repetitions count little. */
const saturation = 2.5;

/** Weight of a term in a field, and its length normalization. */
interface Field {
  weight: number;
  /** Words in a typical field. */
  typicalLength: number;
  /** From 0 (length does not matter) to 1 (only the share of words counts). */
  lengthPenalty: number;
}

const fields = {
  name: { weight: 3, typicalLength: 2, lengthPenalty: 0 },
  displayName: { weight: 1, typicalLength: 2, lengthPenalty: 0 },
  description: { weight: 2.5, typicalLength: 25, lengthPenalty: 0.5 },
  tags: { weight: 1, typicalLength: 4, lengthPenalty: 0.3 },
  body: { weight: 1, typicalLength: 660, lengthPenalty: 1 },
  pairs: { weight: 2, typicalLength: 25, lengthPenalty: 0.5 },
  headingPairs: { weight: 1, typicalLength: 28, lengthPenalty: 0.5 },
} as const satisfies Record<string, Field>;

/** The hash of a word's stem, or 0 for a stop word. */
type ReadWord = (word: string) => number;

/** Creates a reader of skills' terms that caches words across skills. */
export function createTermReader(): (texts: SkillTexts) => TermVector {
  const readers = new Map([...stopWords.keys()].map((each) => [each, rememberWords(each)]));
  const fallback = rememberWords('en');
  return (texts) => {
    const body = texts.body.slice(0, maxBody);
    const [inDescription, inBody] = [describingWords(texts), searchWords(body)];
    const read = readers.get(languageOf(inDescription, inBody)) ?? fallback;
    const vector = new TermCollector();
    const name = termsOf(searchWords(texts.name), read);
    const description = termsOf(inDescription, read);
    vector.add(name, fields.name);
    vector.add(termsOf(searchWords(texts.displayName), read), fields.displayName);
    vector.add(description, fields.description);
    vector.add(termsOf(searchWords(texts.tags.join(' ')), read), fields.tags);
    addTranslations(vector, texts, (language) => readers.get(language) ?? fallback);
    vector.addCounted(countWords(inBody), read);
    vector.add([...pairsOf(description), ...pairsOf(name)], fields.pairs);
    vector.add(headingPairs(body, read), fields.headingPairs);
    return vector.weigh(new Set(name));
  };
}

/**
 * Adds the terms of translations, each read in its language. A term counts once, so that a name that all languages share
 * does not weigh more than the others.
 */
function addTranslations(
  vector: TermCollector,
  { translations }: SkillTexts,
  getReader: (language: string) => ReadWord,
): void {
  if (!translations) {
    return;
  }
  const { title, description } = translations;
  for (const tag of listLanguages(translations)) {
    const read = getReader(tag.split('-')[0] ?? tag);
    const described = termsOf(searchWords(description[tag] ?? ''), read);
    vector.addNew(termsOf(searchWords(title[tag] ?? ''), read), fields.displayName);
    vector.addNew(described, fields.description);
    vector.addNew(pairsOf(described), fields.pairs);
  }
}

/** Further words are probably data. */
const maxCachedWords = 20_000;
/** V8 keeps the whole text alive for longer substrings. */
const minSliceLength = 13;

function rememberWords(language: string): ReadWord {
  const known = new Map<string, number>();
  return (word) => {
    if (word.length >= minSliceLength) {
      return readWord(word, language);
    }
    let term = known.get(word);
    if (term === undefined) {
      term = readWord(word, language);
      if (known.size >= maxCachedWords) {
        known.clear();
      }
      known.set(word, term);
    }
    return term;
  };
}

function readWord(word: string, language: string): number {
  const stem = language === 'de' ? stemGerman : stemEnglish;
  return isStopWord(word, language) ? 0 : termHash(stem(word));
}

/** Texts in other languages contain English and German words as well. */
function isStopWord(word: string, language: string): boolean {
  return ['en', 'de', language].some((each) => stopWords.get(each)?.has(word));
}

function describingWords({ description, triggers }: SkillTexts): string[] {
  return searchWords(triggers === '' ? description : `${description} ${triggers}`);
}

/** Sufficient for detecting the language. */
const enoughWords = 150;

function languageOf(...texts: string[][]): string {
  const words = texts.flatMap((text) => text.slice(0, enoughWords));
  return detectLanguage(words, stopWords);
}

function termsOf(words: readonly string[], read: ReadWord): number[] {
  return words.map(read).filter((term) => term !== 0);
}

function pairsOf(terms: readonly number[]): number[] {
  return terms.slice(1).map((term, before) => pairHash(terms[before] ?? 0, term));
}

function headingPairs(body: string, read: ReadWord): number[] {
  const headings = body.match(/^#{1,6} .{0,200}/gm) ?? [];
  return headings.flatMap((heading) => pairsOf(termsOf(searchWords(heading), read)));
}

/** Lower bound of the length, so that a body of one or two lines is not overweighted. */
const minLength = 0.2;

/** Weight of one term in a field with this many terms. */
function weightOf(terms: number, { weight, typicalLength, lengthPenalty }: Field): number {
  return weight / Math.max(minLength, 1 - lengthPenalty + lengthPenalty * (terms / typicalLength));
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

class TermCollector {
  private readonly sums = new Map<number, number>();

  add(terms: readonly number[], field: Field): void {
    const by = weightOf(terms.length, field);
    for (const term of terms) {
      this.addTerm(term, by);
    }
  }

  /** Adds only the terms that no field has yet. */
  addNew(terms: readonly number[], field: Field): void {
    const by = weightOf(terms.length, field);
    for (const term of new Set(terms)) {
      if (!this.sums.has(term)) {
        this.addTerm(term, by);
      }
    }
  }

  /** Reads each distinct word once. */
  addCounted(counts: ReadonlyMap<string, number>, read: ReadWord): void {
    const terms: number[] = [];
    const times: number[] = [];
    let total = 0;
    for (const [word, count] of counts) {
      const term = read(word);
      if (term !== 0) {
        terms.push(term);
        times.push(count);
        total += count;
      }
    }
    const by = weightOf(total, fields.body);
    for (const [at, term] of terms.entries()) {
      this.addTerm(term, by * (times[at] ?? 0));
    }
  }

  private addTerm(term: number, by: number): void {
    if (term !== 0) {
      this.sums.set(term, (this.sums.get(term) ?? 0) + by);
    }
  }

  weigh(names: ReadonlySet<number>): TermVector {
    const hashes = Uint32Array.from(this.heaviestTerms()).sort();
    const weights = new Uint8Array(hashes.length);
    for (const [at, hash] of hashes.entries()) {
      const sum = this.sums.get(hash) ?? 0;
      const weight = Math.max(1, Math.round((heaviest * sum) / (saturation + sum)));
      weights[at] = names.has(hash) ? weight | nameBit : weight;
    }
    return { hashes, weights, nameTerms: names.size };
  }

  private heaviestTerms(): Iterable<number> {
    if (this.sums.size <= maxTerms) {
      return this.sums.keys();
    }
    const terms = [...this.sums].sort(([, one], [, other]) => other - one);
    return terms.slice(0, maxTerms).map(([term]) => term);
  }
}

/** A term of a question, with its number of occurrences. */
export interface QueryTerm {
  hash: number;
  count: number;
}

/** Maximum characters of a question. */
const maxQuery = 32 * 1024;
/** Weight of pasted code: the words around it matter more. */
const codeWeight = 0.1;

/**
 * Terms of a question in English and German, because it is too short to tell them apart; a skill is
 * indexed in its own language.
 */
export function queryTerms(text: string): QueryTerm[] {
  const counts = new Map<number, number>();
  const count = (terms: Iterable<number>, by: number) => {
    for (const term of terms) {
      counts.set(term, (counts.get(term) ?? 0) + by);
    }
  };
  for (const [part, written] of text.slice(0, maxQuery).split('```').entries()) {
    const all = searchWords(written);
    const language = languageOf(all);
    const words = all.filter((word) => !isStopWord(word, language));
    const english = words.map((word) => termHash(stemEnglish(word)));
    const german = words.map((word) => termHash(stemGerman(word)));
    const isCode = part % 2 === 1;
    count(english, isCode ? codeWeight : 1);
    count(
      german.filter((term, at) => term !== english[at]),
      isCode ? codeWeight : 1,
    );
    if (!isCode) {
      count(new Set([...pairsOf(english), ...pairsOf(german)]), 1);
    }
  }
  return [...counts].map(([hash, by]) => ({ hash, count: by }));
}

/** A 32-bit hash of a term. */
function termHash(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) {
    hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** A hash of two adjacent terms. */
function pairHash(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ second) >>> 0;
}
