import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Thumbs } from '@knowhow/shared/config/analytics';
import type { SkillUsage } from '@knowhow/shared/skills/admin-skill';
import {
  type AttentionFinding,
  type AttentionItem,
  type AttentionReason,
  attentionReasons,
  reviewNoticeDays,
  unusedDays,
} from '@knowhow/shared/skills/skill-attention';
import type { SkillOwner } from '@knowhow/shared/skills/skill-owners';
import { daysAgo } from '../../../platform/lib/days-ago.ts';
import { getSkillSettings, shownTexts } from '../../skills/index.ts';
import { findFall } from '../triggers/find-fall.ts';
import type { TriggerRuns } from '../triggers/trigger-runs.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { deprecationField } from './skill-deprecation.ts';
import { getSkillStatus, type SkillEntry, skillEntries } from './skill-entries.ts';
import { skillReach } from './skill-reach.ts';

/** Metrics that tell whether skills are still used and liked. */
export interface SkillHealth {
  /** ISO 8601: the oldest answer in the metrics; undefined without any. */
  since: string | undefined;
  /** Thumbs of the last `recentThumbsDays`, and of the `earlierThumbsDays` before, by name of the skill. */
  thumbs: ReadonlyMap<string, { recent: Thumbs; earlier: Thumbs }>;
  /** ISO 8601: the first version since the last deletion, by name. Not for skills without versions. */
  createdAt: ReadonlyMap<string, string>;
}

export type AttentionAdmin = Pick<SkillAdmin, 'contents' | 'skills' | 'owners'> & {
  /** Undefined if nothing is counted. */
  analytics: {
    recentUses(): Promise<ReadonlyMap<string, SkillUsage> | undefined>;
    skillHealth(): Promise<SkillHealth | undefined>;
  };
  triggerRuns: Pick<TriggerRuns, 'recent'>;
};

type Attention = Omit<AttentionItem, 'isInLibrary'>;

interface AttentionList {
  /** Most urgent first. */
  items: Attention[];
  counts: Record<AttentionReason, number>;
}

/** Number of skills between pauses, in which other requests are answered. */
const batchSize = 1000;
/** Minimum number of thumbs in each of the two periods. */
const minThumbs = 5;
/** Percentage points by which the share of thumbs up must have fallen. */
const minFall = 20;

/**
 * The skills that need attention, from a fixed number of queries.
 *
 * @param receives whether the reader gets the skills of this owner
 * @param reason omitted: all skills with another reason than a missing owner
 */
export async function findAttention(
  admin: AttentionAdmin,
  receives: (owner: SkillOwner | undefined) => boolean,
  reason: AttentionReason | undefined,
): Promise<AttentionList> {
  const [owners, findings] = await Promise.all([admin.owners.findAll(), createFinder(admin)]);
  const config = admin.contents().skills;
  const counts = Object.fromEntries(
    attentionReasons.map((each) => [each, 0]),
  ) as AttentionList['counts'];
  const items: Attention[] = [];
  for (const [index, entry] of skillEntries(admin.skills.snapshot).entries()) {
    if (index % batchSize === batchSize - 1) {
      await yieldToEventLoop();
    }
    const { name, skill, state } = entry;
    const owner = owners.get(name);
    const found = state === 'offered' && receives(owner) ? findings(entry, owner) : [];
    for (const finding of found) {
      counts[finding.reason] += 1;
    }
    const isWanted = (finding: AttentionFinding) =>
      reason === undefined ? finding.reason !== 'no-owner' : finding.reason === reason;
    if (found.some(isWanted)) {
      const settings = getSkillSettings(name, config);
      const { displayName, translations } = shownTexts(skill, settings);
      items.push({
        name,
        displayName,
        translations,
        ...(owner ? { owner: owner.name } : {}),
        ...(settings?.reviewBy === undefined ? {} : { reviewBy: settings.reviewBy }),
        findings: found.toSorted(compareUrgency),
      });
    }
  }
  // Entries are in the order of names, which remains among equals.
  items.sort(({ findings: [one] }, { findings: [other] }) =>
    one && other ? compareUrgency(one, other) : 0,
  );
  return { items, counts };
}

type Finder = (entry: SkillEntry, owner: SkillOwner | undefined) => AttentionFinding[];

async function createFinder(admin: AttentionAdmin): Promise<Finder> {
  const { analytics, contents } = admin;
  const [uses, health, runs] = await Promise.all([
    analytics.recentUses(),
    analytics.skillHealth(),
    admin.triggerRuns.recent(),
  ]);
  const { skills: config, platform } = contents();
  const reachOf = skillReach(contents(), admin.skills.snapshot);
  const lastDue = dayOf(daysAgo(-reviewNoticeDays));
  const longAgo = new Date(daysAgo(unusedDays)).toISOString();
  // Metrics that do not reach back far enough cannot tell what is unused.
  const coversUses =
    platform.analytics.days > unusedDays && uses !== undefined && isBefore(health?.since, longAgo);

  return (entry, owner) => {
    const { name, updatedAt } = entry;
    const found: AttentionFinding[] = owner ? [] : [{ reason: 'no-owner' }];
    const reviewBy = getSkillSettings(name, config)?.reviewBy;
    if (reviewBy !== undefined && reviewBy <= lastDue) {
      found.push({ reason: 'review', reviewBy });
    }
    if (getSkillStatus(entry, config) !== 'on') {
      return found;
    }
    const fall = findFall(runs.get(name) ?? []);
    if (fall) {
      found.push(fall);
    }
    const thumbs = health?.thumbs.get(name);
    if (thumbs && hasFallen(thumbs)) {
      found.push({ reason: 'thumbs', ...thumbs });
    }
    const { apps, groups } = reachOf(name);
    const { deprecated } = deprecationField(name, admin);
    if (deprecated && deprecated.successor === undefined && apps.length > 0) {
      found.push({ reason: 'deprecated', apps: apps.length });
    }
    const createdAt = health?.createdAt.get(name) ?? new Date(updatedAt).toISOString();
    const lastUsedAt = uses?.get(name)?.lastUsedAt;
    const isUnused = isBefore(createdAt, longAgo) && isBefore(lastUsedAt ?? createdAt, longAgo);
    if (coversUses && apps.length > 0 && groups.length > 0 && isUnused) {
      found.push({ reason: 'unused', ...(lastUsedAt === undefined ? {} : { lastUsedAt }) });
    }
    return found;
  };
}

function isBefore(time: string | undefined, other: string): boolean {
  return time !== undefined && time < other;
}

/** In whole numbers, because fractions are not exact. */
function hasFallen({ recent, earlier }: { recent: Thumbs; earlier: Thumbs }): boolean {
  const [now, before] = [recent.up + recent.down, earlier.up + earlier.down];
  return (
    now >= minThumbs &&
    before >= minThumbs &&
    100 * (earlier.up * now - recent.up * before) >= minFall * now * before
  );
}

/** A day in UTC, as `2027-03-31`. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function compareUrgency(one: AttentionFinding, other: AttentionFinding): number {
  const difference = urgencyOf(one) - urgencyOf(other);
  if (difference !== 0 || one.reason !== 'review' || other.reason !== 'review') {
    return difference;
  }
  return Number(one.reviewBy > other.reviewBy) - Number(one.reviewBy < other.reviewBy);
}

/** The lowest is the most urgent. A review that is due is less urgent than one that is late. */
function urgencyOf(finding: AttentionFinding): number {
  const isDue = finding.reason === 'review' && finding.reviewBy >= dayOf(Date.now());
  return isDue
    ? attentionReasons.indexOf('deprecated') + 0.5
    : attentionReasons.indexOf(finding.reason);
}
