import { allSkillFields } from '@knowhow/shared/skills/skill-fields';
import { isPersonalSkillId } from '@knowhow/shared/skills/skill-id';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { groupBy } from '../../platform/lib/group-by.ts';
import type { GrantedSkill } from '../identity/index.ts';
import type { ChosenVersion } from './choose-versions.ts';
import {
  allowsScripts,
  getSkillSettings,
  isEnabled,
  mayNameTools,
  type SkillEntry,
  shownTexts,
  toGrantedSkill,
} from './skill-settings.ts';
import type { SkillSnapshot } from './store/skill-snapshot.ts';
import type { StoredSkill } from './store/skill-source.ts';
import type { VisibleSkill } from './visible-skill.ts';

/** An enabled skill, before access is checked. */
export interface Offer {
  skill: VisibleSkill;
  stored: StoredSkill;
  global: boolean;
  /** For grants: that of the published version. */
  granted: GrantedSkill;
}

interface Offers {
  snapshot: SkillSnapshot;
  config: SkillsConfig;
  offered: readonly Offer[];
  /** All visible skills, for callers with access to all. */
  skills: readonly VisibleSkill[];
  byId: ReadonlyMap<string, Offer>;
  byDisplayName: ReadonlyMap<string, readonly Offer[]>;
  /** The same with versions, by which they are. */
  withVersions: Map<string, Offers>;
}

/** Enabled skills in order. Cached per snapshot and configuration. */
export function offersOf(snapshot: SkillSnapshot, config: SkillsConfig): Offers {
  const known = offers.get(snapshot);
  if (known?.config === config) {
    return known;
  }
  const offered: Offer[] = [];
  for (const stored of snapshot.skills.values()) {
    if (isEnabled(stored, config)) {
      offered.push(offerOf(stored, config));
    }
  }
  const result = collectOffers(snapshot, config, offered);
  offers.set(snapshot, result);
  return result;
}

function collectOffers(snapshot: SkillSnapshot, config: SkillsConfig, offered: Offer[]): Offers {
  offered.sort(byPriority);
  return {
    snapshot,
    config,
    offered,
    byId: new Map(offered.map((offer) => [offer.skill.id, offer])),
    byDisplayName: groupBy(offered, ({ skill }) => displayKey(skill.displayName)),
    skills: offered.map(({ skill }) => skill),
    withVersions: new Map(),
  };
}

/** Offers with the chosen versions in place of the published ones. Cached. */
export function withVersions(offers: Offers, chosen: ReadonlyMap<string, ChosenVersion>): Offers {
  if (chosen.size === 0) {
    return offers;
  }
  const key = JSON.stringify([...chosen]);
  const known = offers.withVersions.get(key);
  if (known) {
    return known;
  }
  const others = offers.offered.filter(({ skill }) => !chosen.has(skill.id));
  const replaced = [...chosen].flatMap(([id, version]) => offerVersion(offers, id, version) ?? []);
  const result = collectOffers(offers.snapshot, offers.config, [...others, ...replaced]);
  if (offers.withVersions.size < maxChoices) {
    offers.withVersions.set(key, result);
  }
  return result;
}

/** Maximum number of cached combinations of versions. */
const maxChoices = 100;

/** A version is offered as long as its skill exists and would be enabled with these files. */
function offerVersion(
  { snapshot, config, byId }: Offers,
  id: string,
  { number, isRequired }: ChosenVersion,
): Offer | undefined {
  const published = snapshot.skills.get(id);
  const version = published && snapshot.versions.get(id)?.get(number);
  if (version) {
    const stored = published.plugin ? { ...version, plugin: published.plugin } : version;
    if (isEnabled(stored, config)) {
      return { ...offerOf(stored, config), granted: toGrantedSkill(published) };
    }
  }
  return isRequired ? undefined : byId.get(id);
}

export function displayKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

const offers = new WeakMap<SkillSnapshot, Offers>();

/**
 * Returns the same object while its inputs are the same, because a save changes one of thousands of
 * skills.
 */
export function offerOf(stored: StoredSkill, config: SkillsConfig): Offer {
  const entry = getSkillSettings(stored.id, config);
  const scripts = allowsScripts(stored.id, config);
  const last = lastOffers.get(stored);
  if (last && last.entry === entry && last.offer.skill.allowsScripts === scripts) {
    return last.offer;
  }
  const skill = { ...visibleSkill(stored, entry), allowsScripts: scripts };
  const offer = {
    skill,
    stored,
    global: entry?.global ?? false,
    granted: toGrantedSkill(stored),
  };
  lastOffers.set(stored, { entry, offer });
  return offer;
}

const lastOffers = new WeakMap<StoredSkill, { entry: SkillEntry | undefined; offer: Offer }>();

/** Copies field by field: locations on the host must not leak. */
function visibleSkill(
  stored: StoredSkill,
  entry: SkillEntry | undefined,
): Omit<VisibleSkill, 'allowsScripts'> {
  return {
    id: stored.id,
    ...shownTexts(stored, entry),
    ...allSkillFields(stored),
    ...(mayNameTools(stored, entry) ? {} : { allowedTools: [] }),
    metadata: stored.metadata,
    declaresArguments: stored.declaresArguments,
    userInvocable: stored.userInvocable,
    modelInvocable: stored.modelInvocable,
    valid: stored.valid,
    loads: stored.loads,
    enabledByDefault: stored.enabledByDefault,
    diagnostics: stored.diagnostics,
    checksum: stored.checksum,
    priority: entry?.priority ?? 0,
    source: stored.source.kind,
    approvedScripts: entry?.approvedScripts,
    ...(entry?.deprecated ? { deprecated: entry.deprecated } : {}),
    ...(stored.plugin ? { plugin: stored.plugin } : {}),
    ...(stored.source.label === undefined ? {} : { origin: stored.source.label }),
    ...(isPersonalSkillId(stored.id) ? { isPersonal: true as const } : {}),
    ...(stored.sharedBy === undefined
      ? {}
      : { sharedBy: stored.sharedBy, origin: stored.sharedBy }),
    ...(stored.fixed ? { fixedVersion: stored.fixed.number } : {}),
  };
}

function byPriority({ skill: one }: Offer, { skill: other }: Offer): number {
  return other.priority - one.priority || (one.id < other.id ? -1 : 1);
}
