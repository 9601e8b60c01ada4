import { countTokens } from '@knowhow/shared/count-tokens';
import { catalogueEntry, type Described, fitsCatalogue } from '@knowhow/skill-format';
import { shortenText } from '../../platform/lib/shorten-text.ts';

export interface Catalogue {
  /** The `<available_skills>` block; empty without skills. */
  text: string;
  /** How descriptions were shortened to fit the budget. */
  trimmed: 'not' | 'descriptions' | 'names-only' | 'ranked';
  /** Ids of the listed skills. */
  shown: readonly string[];
  /** Ids of those whose description is shortened or omitted. */
  shortened: readonly string[];
  /** Ids of ranked skills that did not fit, best first. */
  behind: readonly string[];
}

/** Content of a catalogue that cannot list all skills. */
export interface CatalogueRanking {
  /** Ids, most relevant first; the others follow in their order. Called only if needed. */
  ids: () => readonly string[];
  /** A note on how to find the others. */
  more: (listed: number, total: number) => string;
  /** Lists no skill, even if there is room. */
  isSearchOnly?: boolean;
}

/**
 * Lengths to which descriptions are shortened, in characters, until the block fits; 0 leaves names.
 */
const maxLength = 1024;
const lengths = [maxLength, 400, 160, 80, 0];
/** Correction of the token estimate for an item without description, which is mostly markup. */
const markupTokens = 3;
const opening = '<available_skills>';
const closing = '\n</available_skills>';
const moreOf = (hidden: number) =>
  `\n  <!-- ${hidden} more: the user can pick them by name with "/". -->`;

/**
 * Renders names and descriptions of skills for the system prompt, each in at most 200 tokens and
 * all in at most `budget` tokens by `countTokens`. If they do not fit, the best ranked ones are
 * listed in full. Without a ranking, descriptions are shortened, then omitted, and finally only the
 * first names are listed. At least one skill is listed, even if the budget is too small.
 */
export function renderCatalogue(
  skills: readonly Described[],
  budget: number,
  ranking?: CatalogueRanking,
): Catalogue {
  if (skills.length === 0) {
    return { text: '', trimmed: 'not', shown: [], shortened: [], behind: [] };
  }
  if (ranking?.isSearchOnly) {
    return catalogueFrom([], 'ranked', `\n${ranking.more(0, skills.length)}`);
  }
  const room = budget - countTokens(opening) - countTokens(closing);
  for (const length of ranking ? [maxLength] : lengths) {
    const entries = renderUpTo(skills, length, room);
    if (entries.length === skills.length) {
      return catalogueFrom(entries, trimmedAt(length));
    }
  }
  return ranking ? renderRanked(skills, room, ranking) : renderNames(skills, room);
}

/** A skill in the catalogue. */
interface Entry extends Item {
  id: string;
}

function renderRanked(
  skills: readonly Described[],
  room: number,
  { ids, more }: CatalogueRanking,
): Catalogue {
  const left = room - countTokens(more(skills.length, skills.length));
  const first = ids();
  const entries = renderUpTo(inOrderOf(first, skills), maxLength, left);
  if (entries.length === 0) {
    const [best] = inOrderOf(first, skills);
    entries.push(...(best ? [renderWithin(best, left)] : []));
  }
  const result = catalogueFrom(entries, 'ranked', `\n${more(entries.length, skills.length)}`);
  const listed = new Set(result.shown);
  return { ...result, behind: first.filter((id) => !listed.has(id) && byIdIn(skills).has(id)) };
}

/**
 * Yields skills with these ids, then the others. A generator, because only the first of thousands
 * are needed.
 */
function* inOrderOf(
  ids: readonly string[],
  skills: readonly Described[],
): Generator<Described, void> {
  const skillOf = byIdIn(skills);
  const first = new Set(ids.flatMap((id) => skillOf.get(id) ?? []));
  yield* first;
  for (const skill of skills) {
    if (!first.has(skill)) {
      yield skill;
    }
  }
}

/** Cached per list of skills. */
function byIdIn(skills: readonly Described[]): ReadonlyMap<string, Described> {
  const known = byId.get(skills) ?? new Map(skills.map((skill) => [skill.id, skill]));
  byId.set(skills, known);
  return known;
}

const byId = new WeakMap<readonly Described[], ReadonlyMap<string, Described>>();

/** A skill whose full entry exceeds the budget. */
function renderWithin(skill: Described, room: number): Entry {
  const length = lengths.find((each) => counted(skill, each).tokens <= room);
  return { id: skill.id, ...counted(skill, length ?? 0) };
}

function renderNames(skills: readonly Described[], room: number): Catalogue {
  const names = renderUpTo(skills, 0, room - countTokens(moreOf(skills.length)));
  const listed =
    names.length > 0
      ? names
      : skills.slice(0, 1).map((skill) => ({ id: skill.id, ...counted(skill, 0) }));
  const hidden = skills.length - listed.length;
  const more = hidden > 0 ? [{ text: moreOf(hidden) }] : [];
  return { ...catalogueFrom(listed, 'names-only'), text: blockOf([...listed, ...more]) };
}

/** The `<available_skills>` block of a few skills, all in full. */
export function renderFullCatalogue(skills: readonly Described[]): string {
  return blockOf(skills.map(inFull));
}

function catalogueFrom(
  entries: readonly Entry[],
  trimmed: Catalogue['trimmed'],
  after = '',
): Catalogue {
  return {
    text: `${blockOf(entries)}${after}`,
    trimmed,
    shown: entries.map(({ id }) => id),
    shortened: entries.flatMap(({ id, isWhole }) => (isWhole ? [] : [id])),
    behind: [],
  };
}

function blockOf(items: readonly { text: string }[]): string {
  return [opening, ...items.map(({ text }) => text), closing].join('');
}

/** The first skills that fit. Stops at the limit, which is early with thousands of skills. */
function renderUpTo(skills: Iterable<Described>, length: number, room: number): Entry[] {
  const entries: Entry[] = [];
  let left = room;
  for (const skill of skills) {
    const item = length === maxLength ? inFull(skill) : counted(skill, length);
    left -= item.tokens;
    if (left < 0) {
      break;
    }
    entries.push({ id: skill.id, ...item });
  }
  return entries;
}

interface Item {
  text: string;
  tokens: number;
  /** Whether it contains the full description. */
  isWhole: boolean;
}

/** Cached per skill, not computed for each turn. */
function inFull(skill: Described): Item {
  let item = fullItems.get(skill);
  if (!item) {
    item = counted(skill, maxLength);
    fullItems.set(skill, item);
  }
  return item;
}

const fullItems = new WeakMap<Described, Item>();

function counted(skill: Described, length: number): Item {
  const description = length === 0 ? '' : describedWithin(skill, length);
  const text = catalogueEntry({ ...skill, description });
  const tokens = countTokens(text) + (length === 0 ? markupTokens : 0);
  return { text, tokens, isWhole: description === skill.description };
}

function trimmedAt(length: number): Catalogue['trimmed'] {
  if (length === 0) {
    return 'names-only';
  }
  return length === maxLength ? 'not' : 'descriptions';
}

/** The description in a catalogue with enough budget. */
export function cataloguedDescription(skill: Described): string {
  return describedWithin(skill, maxLength);
}

function describedWithin(skill: Described, length: number): string {
  return shortenText(shorten(skill.description, length), (part) =>
    fitsCatalogue({ ...skill, description: part }),
  );
}

function shorten(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length - 1).join('')}…`;
}
