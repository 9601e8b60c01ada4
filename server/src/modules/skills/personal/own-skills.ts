import type { AppConfig } from '@knowhow/shared/config/app-config';
import { personalSkillName } from '@knowhow/shared/skills/skill-id';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { displayKey, type Offer, offerOf } from '../skill-offers.ts';
import { createRanking, type Ranked } from '../skill-ranking.ts';
import { findBlockedContent, isEnabled } from '../skill-settings.ts';
import { createTermReader } from '../skill-terms.ts';
import type { PersonalSkill } from '../store/skill-source.ts';
import type { SkillStore } from '../store/skill-store.ts';
import { createTermIndex } from '../term-index.ts';
import type { VisibleSkill } from '../visible-skill.ts';

/** The personal skills that a view shows: the user's own, then those that others share. */
export interface OwnSkills {
  readonly offers: readonly Offer[];
  /** By id. */
  get(id: string): Offer | undefined;
  /** One of the user's own by the name without the owner, or by the displayed name; in lower case and NFKC. */
  find(name: string): Offer | undefined;
  /** The user's own that match a text, best first. Scores are comparable with each other only. */
  rank(text: string): Ranked<VisibleSkill>[];
  /** The same for those that others share. */
  rankShared(text: string): Ranked<VisibleSkill>[];
  /** The list, followed by these. Returns the same list for the same list. */
  appendTo(skills: readonly VisibleSkill[]): readonly VisibleSkill[];
}

interface Choice {
  store: Pick<SkillStore, 'getPersonal'>;
  config: SkillsConfig;
  apps: readonly AppConfig[];
  /** The user's id; undefined for callers without personal skills. */
  owner?: string | undefined;
  /** Ids of the user's groups. */
  groups: readonly string[];
  /** Ids of skills that are switched off. */
  off: ReadonlySet<string>;
}

/**
 * The personal skills of a user and those that others share, in apps where users choose skills. All others do not exist
 * for the user. Blocked content is left out. Cached as long as nothing changes.
 */
export function chooseOwnSkills({ store, config, apps, owner, groups, off }: Choice): OwnSkills {
  const isOffered = apps.some(({ skillSettings }) => skillSettings.allowUserSelection);
  const skills = store.getPersonal(isOffered ? owner : undefined, groups);
  if (skills.length === 0) {
    return noSkills;
  }
  const known = cache.get(skills);
  const own = known?.config === config ? known.own : readOwnSkills(skills, config);
  cache.set(skills, { config, own });
  const isOff = own.offers.some(({ skill }) => off.has(skill.id));
  return isOff ? createOwnSkills(own.offers.filter(({ skill }) => !off.has(skill.id))) : own;
}

const cache = new WeakMap<readonly PersonalSkill[], { config: SkillsConfig; own: OwnSkills }>();

function readOwnSkills(skills: readonly PersonalSkill[], config: SkillsConfig): OwnSkills {
  const enabled = skills.filter(
    (skill) =>
      isEnabled(skill, config) && findBlockedContent(skill.filesChecksum, config) === undefined,
  );
  return createOwnSkills(enabled.map((skill) => offerOf(skill, config)));
}

function createOwnSkills(offers: readonly Offer[]): OwnSkills {
  const skills = offers.map(({ skill }) => skill);
  const byId = new Map(offers.map((offer) => [offer.skill.id, offer]));
  const own = offers.filter(({ skill }) => skill.sharedBy === undefined);
  const shared = skills.filter(({ sharedBy }) => sharedBy !== undefined);
  const ownSkills = own.map(({ skill }) => skill);
  const byName = new Map(
    own.flatMap((offer) =>
      [offer.skill.displayName, personalSkillName(offer.skill.id)].map((name) => [
        displayKey(name),
        offer,
      ]),
    ),
  );
  const appended = new WeakMap<readonly VisibleSkill[], readonly VisibleSkill[]>();
  return {
    offers,
    get: (id) => byId.get(id),
    find: (name) => byName.get(name),
    rank: (text) => rankingOf(ownSkills).rank(text, ownSkills, maxRanked),
    rankShared: (text) => rankingOf(shared).rank(text, shared, maxShared),
    appendTo: (others) => {
      const known = appended.get(others) ?? [...others, ...skills];
      appended.set(others, known);
      return known;
    },
  };
}

const noSkills: OwnSkills = {
  offers: [],
  get: () => undefined,
  find: () => undefined,
  rank: () => [],
  rankShared: () => [],
  appendTo: (skills) => skills,
};

/** Maximum number of a user's own skills that precede those of the organisation. */
const maxRanked = 5;
/** Maximum number of shared skills among them: no one has reviewed them. */
const maxShared = 2;

/** Ranks by names, descriptions and tags. */
function rankingOf(skills: readonly VisibleSkill[]) {
  const known = rankings.get(skills);
  if (known) {
    return known;
  }
  const index = createTermIndex();
  const read = createTermReader();
  index.put(
    skills.map((skill) => ({
      id: skill.id,
      vector: read({
        name: personalSkillName(skill.id),
        displayName: skill.displayName,
        description: skill.description,
        translations: skill.translations,
        tags: skill.tags,
        triggers: '',
        body: '',
      }),
    })),
  );
  const ranking = createRanking(index);
  rankings.set(skills, ranking);
  return ranking;
}

const rankings = new WeakMap<readonly VisibleSkill[], ReturnType<typeof createRanking>>();
