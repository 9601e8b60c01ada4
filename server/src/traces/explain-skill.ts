import type { SkillOutcome } from '@knowhow/shared/chat/traces';
import { plainName } from '@knowhow/shared/names';
import { spellingsOf } from '../skills/skill-view.ts';
import type {
  StoredCall,
  StoredRound,
  TraceSetting,
  VisibleIds,
  WholeTrace,
} from './stored-trace.ts';

interface Asked {
  /** The id of a skill, or what somebody typed for it. */
  name: string;
  /** The activations of the answer: names and how they came. */
  activated: readonly { name: string; via: string }[];
  /** The rule that hides a skill which could not be seen. */
  hiddenBy: (name: string) => string | undefined;
}

/** What became of a skill in an answer, from what was recorded. */
export function explainSkill(whole: WholeTrace, asked: Asked): SkillOutcome {
  const { rounds } = whole.trace;
  const settings = rounds.flatMap(({ setting }) => whole.settings.get(setting) ?? []);
  const seen = settings.flatMap((setting) => whole.visible.get(setting.visible) ?? []);
  const name = idOf(asked.name, seen);
  const activation = asked.activated.findLast((each) => each.name === name);
  if (activation) {
    return { outcome: 'activated', via: activation.via };
  }
  if (rounds.some(({ active }) => active.includes(name))) {
    return { outcome: 'activated', rule: 'already-active' };
  }
  const off = settings.some((setting) => setting.off.includes(name));
  const isVisible = seen.some(({ ids }) => ids.includes(name));
  const hiddenBy = () => (off ? 'off-in-conversation' : asked.hiddenBy(name));
  const refused = refusalOf(name, rounds);
  if (refused !== undefined) {
    return { outcome: 'refused', rule: isVisible ? refused : (hiddenBy() ?? refused) };
  }
  if (!isVisible) {
    const rule = hiddenBy();
    return { outcome: 'not-visible', ...(rule === undefined ? {} : { rule }) };
  }
  return notActivated(name, { named: whole.trace.named, rounds, settings, seen });
}

function idOf(name: string, seen: readonly VisibleIds[]): string {
  const spellings = spellingsOf(name);
  return (
    spellings.find((spelling) => seen.some(({ ids }) => ids.includes(spelling))) ?? spellings[2]
  );
}

/** Why it did not become active though it was asked for: by the model, or by the one that chooses skills. */
function refusalOf(name: string, rounds: readonly StoredRound[]): string | undefined {
  const calls = rounds.flatMap((round) => round.calls);
  const refused = calls.findLast((call) => call.error && isFor(call, name));
  if (refused) {
    return refused.summary.replaceAll(' ', '-');
  }
  const chosen = rounds
    .flatMap((round) => round.refused ?? [])
    .findLast((each) => isNamed(each.name, name));
  return chosen && chosenRules[chosen.why];
}

const chosenRules = { limit: 'no-room', 'not-available': 'not-available' } as const;

function isNamed(written: unknown, skill: string): boolean {
  return typeof written === 'string' && plainName(written) === skill;
}

function isFor({ name: tool, input }: StoredCall, skill: string): boolean {
  if (tool !== 'activate_skill' || typeof input !== 'object' || input === null) {
    return false;
  }
  const { skill_name: named, name } = input as { skill_name?: unknown; name?: unknown };
  return isNamed(named ?? name, skill);
}

interface Recorded {
  named: readonly string[];
  rounds: readonly StoredRound[];
  settings: readonly TraceSetting[];
  seen: readonly VisibleIds[];
}

/** Of one that could be seen, and that nobody asked for. */
function notActivated(name: string, { named, rounds, settings, seen }: Recorded): SkillOutcome {
  const searches = searchesFor(name, rounds);
  const found = searches.length > 0 ? { searches } : {};
  const rankFound = searches.find(({ rank }) => rank !== undefined)?.rank;
  if (rankFound !== undefined) {
    return { outcome: 'not-chosen', rule: 'found-by-search', rank: rankFound, ...found };
  }
  if (seen.every(({ userOnly }) => userOnly.includes(name))) {
    return { outcome: 'left-out', rule: 'user-only', ...found };
  }
  const candidates = rounds.flatMap(({ candidates: put }) => (put ? [put] : []));
  const rankPut = Math.max(...candidates.map((put) => put.indexOf(name) + 1), 0);
  if (rankPut > 0) {
    return { outcome: 'not-chosen', rule: 'router', rank: rankPut, ...found };
  }
  if (named.includes(name)) {
    const rankNamed = named.indexOf(name) + 1;
    return { outcome: 'not-chosen', rule: 'named-with-message', rank: rankNamed, ...found };
  }
  const listing = settings.map((setting) => setting.listing);
  const rank = Math.max(...listing.map(({ shown }) => shown.indexOf(name) + 1), 0);
  if (rank > 0) {
    const isWhole = listing.some(
      ({ shown, shortened }) => shown.includes(name) && !shortened.includes(name),
    );
    const noTools = settings.every(({ usesTools }) => !usesTools);
    return {
      outcome: isWhole ? 'not-chosen' : 'shortened',
      ...(noTools ? { rule: 'no-tools' } : {}),
      rank,
      ...found,
    };
  }
  return { outcome: 'left-out', ...leftOut(name, settings), ...found };
}

/** Why one that could be seen was not in the catalogue, and where it was ranked. */
function leftOut(
  name: string,
  settings: readonly TraceSetting[],
): Pick<SkillOutcome, 'rule' | 'rank'> {
  const [listing] = settings.map((setting) => setting.listing);
  const at = listing?.behind.indexOf(name) ?? -1;
  return {
    rule: rules[listing?.mode ?? 'off'],
    ...(listing && at >= 0 ? { rank: listing.shown.length + at + 1 } : {}),
  };
}

const rules: Record<TraceSetting['listing']['mode'], string> = {
  all: 'budget',
  shortened: 'budget',
  names: 'budget',
  ranked: 'budget',
  search: 'search-only',
  off: 'catalogue-off',
};

const searchTools: ReadonlySet<string> = new Set(['search_skills', 'list_skills']);

function searchesFor(
  name: string,
  rounds: readonly StoredRound[],
): NonNullable<SkillOutcome['searches']> {
  return rounds
    .flatMap(({ calls }) => calls)
    .filter((call) => searchTools.has(call.name))
    .map(({ input, skills }) => {
      const rank = skills.indexOf(name) + 1;
      return { query: queryOf(input), found: skills.length, ...(rank > 0 ? { rank } : {}) };
    });
}

function queryOf(input: unknown): string {
  const { query } = (typeof input === 'object' && input !== null ? input : {}) as {
    query?: unknown;
  };
  return typeof query === 'string' ? query : '';
}
