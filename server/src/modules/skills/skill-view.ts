import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { SkillFile } from '@knowhow/shared/skills/skills';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { PackedFile } from '@knowhow/skill-format';
import { type GrantedSkill, grantsSkill, type SkillGrant } from '../identity/index.ts';
import { chooseVersions } from './choose-versions.ts';
import { offerTest } from './offer-in-app.ts';
import { chooseOwnSkills } from './personal/own-skills.ts';
import { displayKey, type Offer, offersOf, withVersions } from './skill-offers.ts';
import type { Ranked, SkillRanking } from './skill-ranking.ts';
import { findGrantedSkill, getBlock } from './skill-settings.ts';
import type { DigestedFile } from './store/digest-files.ts';
import { readContent } from './store/skill-content.ts';
import type { OpenSkillFile, SkillVersionName, StoredSkill } from './store/skill-source.ts';
import type { SkillStore } from './store/skill-store.ts';
import type { VisibleSkill } from './visible-skill.ts';

/**
 * The only access to skills: those that this caller may see now. Filtered, immutable, and in a
 * stable order for prompt caches: in the order of the app's list, then by priority and name. Skills
 * outside the view do not exist for the caller.
 */
export interface SkillView {
  readonly skills: readonly VisibleSkill[];
  /**
   * By id, in the spellings of `nameSpellings`; otherwise by display name, ignoring case. A personal skill is found
   * by its id, and the user's own by its name if the organisation has no skill of that name.
   */
  find(name: string): VisibleSkill | undefined;
  /**
   * Why a skill is missing that the caller's groups grant: it is blocked, or the app does not offer it. Undefined
   * for any other reason.
   */
  whyMissing(id: string): 'blocked' | 'app' | undefined;
  /** See `SkillRanking.understand`. Only if many skills are ranked and a delay is acceptable. */
  understand(text: string): Promise<boolean>;
  /** Visible skills that match a text, best first. */
  rank(text: string, most: number): Ranked<VisibleSkill>[];
  /** Its version, without a query; undefined for a skill without versions. */
  getVersion(skill: VisibleSkill): SkillVersionName | undefined;
  /** When its version was published; undefined for a skill without versions, and for pinned and previewed versions. */
  getPublishedAt(skill: VisibleSkill): string | undefined;
  readBody(skill: VisibleSkill): Promise<string>;
  /** All files except `SKILL.md`. */
  listFiles(skill: VisibleSkill): Promise<SkillFile[]>;
  /** All files including `SKILL.md`; undefined above the limits. */
  digestFiles(
    skill: VisibleSkill,
    most: { files: number; bytes: number },
  ): Promise<DigestedFile[] | undefined>;
  openFile(skill: VisibleSkill, path: string): Promise<OpenSkillFile | undefined>;
  /**
   * All files including `SKILL.md`. Throws a problem if they are too large, or if the skill has
   * been deleted.
   */
  readFiles(skill: VisibleSkill): Promise<PackedFile[]>;
}

/** The caller's perspective. */
export interface Viewpoint {
  store: SkillStore;
  config: SkillsConfig;
  /** Skills granted by the caller's groups. */
  grant: SkillGrant;
  /** Ids of the caller's groups, which may preview versions. */
  groups: readonly string[];
  /** The apps: one for a turn, several for everything accessible. */
  apps: readonly AppConfig[];
  /**
   * The id of the user whose personal skills are included, and those that others share with the user or the groups;
   * see `getSkillOwner`.
   */
  owner?: string | undefined;
  /** Without it, nothing can be ranked. */
  ranking?: SkillRanking;
  /** Names of skills disabled in this conversation. */
  off?: ReadonlySet<string>;
}

/**
 * Visible = enabled ∧ granted by a group ∧ (listed by an app, or global and not excluded there) ∧
 * not disabled in the conversation. Deny by default. A pinned or previewed version replaces the
 * published skill, see `chooseVersions`. Personal skills come last.
 */
export function createSkillView(viewpoint: Viewpoint): SkillView {
  const { store, config, grant, apps, ranking, off = none } = viewpoint;
  const chosen = chooseVersions(viewpoint);
  const own = chooseOwnSkills({ ...viewpoint, off });
  const isOffered = offerTest(apps);
  const isWanted = (skill: GrantedSkill) => !off.has(skill.id) && grantsSkill(grant, skill);
  const isVisible = ({ granted, global }: Offer) =>
    isWanted(granted) && isOffered({ name: granted.id, global });
  const { offered, byId, byDisplayName, skills } = withVersions(
    offersOf(store.snapshot, config),
    chosen,
  );
  const seesAll = grant === 'all' && off.size === 0 && apps.some(offersAll);
  const visibleNamed = (name: string): Offer | undefined => {
    const offer = byId.get(name);
    return offer && isVisible(offer) ? offer : undefined;
  };
  const find = (name: string) => {
    const [exact, normal, lower] = nameSpellings(name);
    const named = visibleNamed(exact) ?? visibleNamed(normal) ?? visibleNamed(lower);
    return (
      own.get(name) ??
      named ??
      byDisplayName.get(displayKey(name))?.find(isVisible) ??
      own.find(displayKey(name))
    );
  };
  const isModelOnly = isForModels(apps);
  const stored = ({ id }: VisibleSkill): StoredSkill => {
    const offer = own.get(id) ?? visibleNamed(id);
    if (!offer) {
      throw new Error(`Skill '${id}' is not in this view.`);
    }
    return offer.stored;
  };
  const ordered = inOwnOrder(
    seesAll ? skills : offered.filter(isVisible).map(({ skill }) => skill),
    apps,
  );
  const visible = isModelOnly ? ordered.map(withoutUsers) : own.appendTo(ordered);
  return {
    skills: visible,
    understand: (text) => ranking?.understand(text) ?? Promise.resolve(false),
    rank: (text, most) => {
      const ranked = ranking?.rank(text, visible, most) ?? [];
      const withShared = withAmong(own.rankShared(text), ranked);
      return withBefore(own.rank(text), withShared).slice(0, most);
    },
    find: (name) => {
      const skill = find(name)?.skill;
      return skill && isModelOnly ? withoutUsers(skill) : skill;
    },
    whyMissing: (id) => {
      if (!isWanted(findGrantedSkill(store.snapshot, id)) || visibleNamed(id)) {
        return undefined;
      }
      return getBlock(id, config) ? 'blocked' : byId.has(id) || chosen.has(id) ? 'app' : undefined;
    },
    getVersion: (skill) => {
      const version = store.findVersion(stored(skill));
      return version && { number: version.number, digest: version.digest };
    },
    getPublishedAt: (skill) => {
      const version = store.findVersion(stored(skill));
      return version && 'createdAt' in version ? version.createdAt : undefined;
    },
    readBody: (skill) => store.readBody(stored(skill)),
    listFiles: (skill) => store.listFiles(stored(skill)),
    digestFiles: (skill, most) => store.digestFiles(stored(skill), most),
    openFile: (skill, path) => store.openFile(stored(skill), path),
    readFiles: (skill) => readContent(stored(skill)),
  };
}

const none: ReadonlySet<string> = new Set();

/**
 * Skills that other users share rank among those of the organisation, and after equal ones: the best match of both has
 * the same score, because they are not comparable.
 */
function withAmong(
  shared: readonly Ranked<VisibleSkill>[],
  others: Ranked<VisibleSkill>[],
): Ranked<VisibleSkill>[] {
  const [best, bestShared] = [others[0]?.score ?? 0, shared[0]?.score ?? 0];
  const factor = best > 0 && bestShared > 0 ? best / bestShared : 1;
  const scaled = shared.map(({ skill, score }) => ({ skill, score: score * factor }));
  return [...others, ...scaled].sort((one, other) => other.score - one.score);
}

/** The user's own skills that match precede others: their scores are raised, because they are not comparable. */
function withBefore(
  own: readonly Ranked<VisibleSkill>[],
  others: Ranked<VisibleSkill>[],
): Ranked<VisibleSkill>[] {
  const best = others[0]?.score ?? 0;
  return own.length === 0
    ? others
    : [...own.map(({ skill, score }) => ({ skill, score: score + best })), ...others];
}

/** The spellings to look up: exact, then NFKC, then lower case. */
export function nameSpellings(name: string): [exact: string, normal: string, lower: string] {
  const normal = name.normalize('NFKC');
  return [name, normal, normal.toLowerCase()];
}

/** Whether users can name skills in none of these apps. */
function isForModels(apps: readonly AppConfig[]): boolean {
  return apps.length > 0 && apps.every(({ skillSettings }) => !skillSettings.allowUserSelection);
}

/** A skill that only models can activate; cached, so that it is the same object. */
function withoutUsers(skill: VisibleSkill): VisibleSkill {
  const known = modelOnly.get(skill) ?? { ...skill, userInvocable: false };
  modelOnly.set(skill, known);
  return known;
}

const modelOnly = new WeakMap<VisibleSkill, VisibleSkill>();

function offersAll({ skills, skillSettings }: AppConfig): boolean {
  return skills?.includes('*') === true && !skillSettings.exclude?.length;
}

/** Skills listed by the app come first, in its order. Several apps have no common order. */
function inOwnOrder(
  skills: readonly VisibleSkill[],
  [app, ...others]: readonly AppConfig[],
): readonly VisibleSkill[] {
  const listed = new Set(app?.skills);
  listed.delete('*');
  if (!app || listed.size === 0 || others.length > 0) {
    return skills;
  }
  const known = orders.get(skills)?.get(app);
  if (known) {
    return known;
  }
  const own = new Map<string, VisibleSkill>();
  const inherited: VisibleSkill[] = [];
  for (const skill of skills) {
    if (listed.has(skill.id)) {
      own.set(skill.id, skill);
    } else {
      inherited.push(skill);
    }
  }
  const ordered = [...[...listed].flatMap((id) => own.get(id) ?? []), ...inherited];
  const byApp = orders.get(skills) ?? new WeakMap<AppConfig, readonly VisibleSkill[]>();
  orders.set(skills, byApp.set(app, ordered));
  return ordered;
}

/** Lists in the order of an app; useful for callers who see all skills. */
const orders = new WeakMap<readonly VisibleSkill[], WeakMap<AppConfig, readonly VisibleSkill[]>>();
