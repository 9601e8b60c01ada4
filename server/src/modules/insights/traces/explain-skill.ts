import type { Activation } from '@knowhow/shared/chat/chat';
import type { SkillOutcome } from '@knowhow/shared/chat/traces';
import { plainName } from '@knowhow/shared/names';
import { nameSpellings } from '../../skills/index.ts';
import type {
  StoredCall,
  StoredRound,
  TraceSetting,
  VisibleIds,
  WholeTrace,
} from './stored-trace.ts';

interface SkillQuestion {
  /** A skill ID, or what the user typed for it. */
  name: string;
  /** Activations of the answer. */
  activated: readonly Pick<Activation, 'name' | 'via' | 'version'>[];
  /** The rule that hides a skill, if any. */
  hiddenBy: (name: string) => string | undefined;
}

/** Explains what happened with a skill in an answer, from the recorded trace. */
export function explainSkill(whole: WholeTrace, asked: SkillQuestion): SkillOutcome {
  const { rounds } = whole.trace;
  const settings = rounds.flatMap(({ setting }) => whole.settings.get(setting) ?? []);
  const visibleSets = settings.flatMap((setting) => whole.visible.get(setting.visible) ?? []);
  const name = resolveId(asked.name, visibleSets);
  const activation = asked.activated.findLast((each) => each.name === name);
  if (activation) {
    const { via, version } = activation;
    return { outcome: 'activated', via, ...(version ? { version: version.number } : {}) };
  }
  const used = rounds.findLast(({ active }) => active.includes(name));
  if (used) {
    const version = used.versions?.[name];
    const known = version === undefined ? {} : { version };
    return { outcome: 'activated', rule: 'already-active', ...known };
  }
  const off = settings.some((setting) => setting.off.includes(name));
  const isVisible = visibleSets.some(({ ids }) => ids.includes(name));
  const hiddenBy = () => (off ? 'off-in-conversation' : asked.hiddenBy(name));
  const refused = findRefusal(name, rounds);
  if (refused !== undefined) {
    return { outcome: 'refused', rule: isVisible ? refused : (hiddenBy() ?? refused) };
  }
  if (!isVisible) {
    const rule = hiddenBy();
    return { outcome: 'not-visible', ...(rule === undefined ? {} : { rule }) };
  }
  return notActivated(name, { named: whole.trace.named, rounds, settings, seen: visibleSets });
}

function resolveId(name: string, visibleSets: readonly VisibleIds[]): string {
  const spellings = nameSpellings(name);
  return (
    spellings.find((spelling) => visibleSets.some(({ ids }) => ids.includes(spelling))) ??
    spellings[2]
  );
}

/** Why a requested activation was denied, whether requested by the model or by the skill router. */
function findRefusal(name: string, rounds: readonly StoredRound[]): string | undefined {
  const calls = rounds.flatMap((round) => round.calls);
  const refused = calls.findLast((call) => call.error && isActivationOf(call, name));
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

function isActivationOf({ name: tool, input }: StoredCall, skill: string): boolean {
  if (tool !== 'activate_skill' || typeof input !== 'object' || input === null) {
    return false;
  }
  const { skill_name: named, name } = input as { skill_name?: unknown; name?: unknown };
  return isNamed(named ?? name, skill);
}

interface RecordedContext {
  named: readonly string[];
  rounds: readonly StoredRound[];
  settings: readonly TraceSetting[];
  seen: readonly VisibleIds[];
}

/** Explains a visible skill that nothing requested. */
function notActivated(
  name: string,
  { named, rounds, settings, seen: visibleSets }: RecordedContext,
): SkillOutcome {
  const searches = findSearches(name, rounds);
  const found = searches.length > 0 ? { searches } : {};
  const searchRank = searches.find(({ rank }) => rank !== undefined)?.rank;
  if (searchRank !== undefined) {
    return { outcome: 'not-chosen', rule: 'found-by-search', rank: searchRank, ...found };
  }
  if (visibleSets.every(({ userOnly }) => userOnly.includes(name))) {
    return { outcome: 'left-out', rule: 'user-only', ...found };
  }
  const candidates = rounds.flatMap(({ candidates: list }) => (list ? [list] : []));
  const routerRank = Math.max(...candidates.map((list) => list.indexOf(name) + 1), 0);
  if (routerRank > 0) {
    return { outcome: 'not-chosen', rule: 'router', rank: routerRank, ...found };
  }
  if (named.includes(name)) {
    const suggestionRank = named.indexOf(name) + 1;
    return { outcome: 'not-chosen', rule: 'named-with-message', rank: suggestionRank, ...found };
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
  return { outcome: 'left-out', ...explainOmission(name, settings), ...found };
}

/** Why a visible skill was missing from the catalogue, and its rank. */
function explainOmission(
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

function findSearches(
  name: string,
  rounds: readonly StoredRound[],
): NonNullable<SkillOutcome['searches']> {
  return rounds
    .flatMap(({ calls }) => calls)
    .filter((call) => searchTools.has(call.name))
    .map(({ input, skills }) => {
      const rank = skills.indexOf(name) + 1;
      return { query: getQuery(input), found: skills.length, ...(rank > 0 ? { rank } : {}) };
    });
}

function getQuery(input: unknown): string {
  const { query } = (typeof input === 'object' && input !== null ? input : {}) as {
    query?: unknown;
  };
  return typeof query === 'string' ? query : '';
}
