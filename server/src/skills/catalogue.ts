import { countTokens } from '../lib/count-tokens.ts';
import { shortenText } from '../lib/shorten-text.ts';
import { catalogueEntry, type Described, fitsCatalogue } from '../skill-format/skill-format.ts';

export interface Catalogue {
  /** The `<available_skills>` block; empty without skills. */
  text: string;
  /** How far descriptions were cut to keep the budget. */
  trimmed: 'not' | 'descriptions' | 'names-only' | 'ranked';
  /** Ids of the skills in it. */
  shown: readonly string[];
  /** Ids of those whose description is not whole, or left out. */
  shortened: readonly string[];
  /** Ids of those that are ranked and found no room, best first. */
  behind: readonly string[];
}

/** What is in a catalogue that has no room for all. */
export interface CatalogueRanking {
  /** Ids, the most important first; the others come after them, in their order. Asked for when it is needed. */
  ids: () => readonly string[];
  /** Says how to get the others. */
  more: (listed: number, total: number) => string;
  /** None is listed, even if there is room. */
  isSearchOnly?: boolean;
}

/** Lengths to which descriptions are cut, in characters, until the block fits; 0 leaves names. */
const maxLength = 1024;
const lengths = [maxLength, 400, 160, 80, 0];
/** Tokens that the estimate lacks for an item that is a name only: there is much mark-up in it. */
const tagsAlone = 3;
const opening = '<available_skills>';
const closing = '\n</available_skills>';
const moreOf = (hidden: number) =>
  `\n  <!-- ${hidden} more: the user can pick them by name with "/". -->`;

/**
 * Names and descriptions of skills for the system prompt, none in more than 200 tokens and all in at most
 * `budget` tokens as `countTokens` estimates them. When they are too many, those that are ranked first stay
 * whole; without a ranking descriptions are cut, then left out, and then only the first names stay. One
 * stays at least, for a budget that is too small must not make every skill vanish.
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
  const made = catalogueFrom(entries, 'ranked', `\n${more(entries.length, skills.length)}`);
  const listed = new Set(made.shown);
  return { ...made, behind: first.filter((id) => !listed.has(id) && byIdIn(skills).has(id)) };
}

/** Skills of these ids, then the others: one after the other, for of thousands few are asked for. */
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

/** Made once for a list, not in each turn. */
function byIdIn(skills: readonly Described[]): ReadonlyMap<string, Described> {
  const known = byId.get(skills) ?? new Map(skills.map((skill) => [skill.id, skill]));
  byId.set(skills, known);
  return known;
}

const byId = new WeakMap<readonly Described[], ReadonlyMap<string, Described>>();

/** One that is too long for all the room there is. */
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

/** The `<available_skills>` block of a few skills, each in full. */
export function catalogueOf(skills: readonly Described[]): string {
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

/** The first skills that find room. Stops counting where it is too much: with thousands that is soon. */
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
  /** Whether the description is in it as it is. */
  isWhole: boolean;
}

/** Worked out once for each skill as it is seen, not for each turn. */
function inFull(skill: Described): Item {
  let item = full.get(skill);
  if (!item) {
    item = counted(skill, maxLength);
    full.set(skill, item);
  }
  return item;
}

const full = new WeakMap<Described, Item>();

function counted(skill: Described, length: number): Item {
  const description = length === 0 ? '' : describedWithin(skill, length);
  const text = catalogueEntry({ ...skill, description });
  const tokens = countTokens(text) + (length === 0 ? tagsAlone : 0);
  return { text, tokens, isWhole: description === skill.description };
}

function trimmedAt(length: number): Catalogue['trimmed'] {
  if (length === 0) {
    return 'names-only';
  }
  return length === maxLength ? 'not' : 'descriptions';
}

/** A description as it is in a catalogue that has room for all of it. */
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
