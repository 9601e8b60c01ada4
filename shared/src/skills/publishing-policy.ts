import { z } from 'zod';
import { type CheckLevel, checkLevels, configurableChecks } from './check-settings.ts';
import { categoryKey } from './skill-category.ts';
import type { SkillsConfig } from './skills-config.ts';

type Publishing = SkillsConfig['settings']['publishing'];

/** The policy for a change of a skill, and why it is this one. */
export const policySchema = z.object({
  mode: z.enum(['direct', 'review']),
  /** Whether no author of a change may publish it; never in mode `direct`. */
  fourEyes: z.boolean(),
  /** The categories whose policy applies, as in the settings; empty for the general policy. */
  categories: z.array(z.string()),
});

/** With the levels of all checks. */
export interface PublishingPolicy extends z.infer<typeof policySchema> {
  checks: Record<(typeof configurableChecks)[number], CheckLevel>;
}

/** The parts of the settings that decide about reviews. */
export type ReviewSettings = Pick<Publishing, 'mode' | 'fourEyes'> & {
  byCategory: Record<string, Partial<Pick<Publishing, 'mode' | 'fourEyes'>>>;
};

/** Whether a change needs a review, for skills with these categories: the strictest policy counts. */
export function getReviewPolicy(
  { mode, fourEyes, byCategory }: ReviewSettings,
  categories: readonly (string | undefined)[],
): z.infer<typeof policySchema> {
  const found = findPolicies(byCategory, categories);
  const all = found.map(([, policy]) => ({ mode, fourEyes, ...defined(policy) }));
  const reviewed = all.filter((policy) => policy.mode === 'review');
  return {
    mode: reviewed.length > 0 ? 'review' : 'direct',
    fourEyes: reviewed.some((policy) => policy.fourEyes),
    categories: [...new Set(found.flatMap(([name]) => name ?? []))],
  };
}

/** The general policy, and that of each category. */
export function listReviewPolicies(settings: ReviewSettings): z.infer<typeof policySchema>[] {
  return [undefined, ...Object.keys(settings.byCategory)].map((category) =>
    getReviewPolicy(settings, [category]),
  );
}

/** The general policy with the values of each category on top; the strictest of them for several categories. */
export function getCategoryPolicy(
  publishing: Publishing,
  categories: readonly (string | undefined)[],
): PublishingPolicy {
  const { byCategory, checks } = publishing;
  const all = findPolicies(byCategory, categories).map(([, policy]) => ({
    ...checks,
    ...defined(policy?.checks ?? {}),
  }));
  const strictest = configurableChecks.map((id) => {
    const levels = new Set(all.map((each) => each[id]));
    return [id, checkLevels.findLast((level) => levels.has(level)) ?? checks[id]] as const;
  });
  return {
    ...getReviewPolicy(publishing, categories),
    checks: Object.fromEntries(strictest) as PublishingPolicy['checks'],
  };
}

/** The entry for each category; without a name and an entry for one that has none. */
function findPolicies<Policy>(
  byCategory: Record<string, Policy>,
  categories: readonly (string | undefined)[],
): (readonly [name?: string, policy?: Policy])[] {
  const entries = indexByKey(byCategory);
  const keys = new Set(categories.map(categoryKey));
  // Without a skill, the general policy counts.
  return keys.size === 0 ? [[]] : [...keys].map((key) => (key && entries.get(key)) || []);
}

type Entries<Policy> = ReadonlyMap<string | undefined, readonly [string, Policy]>;

const indexes = new WeakMap<object, Entries<unknown>>();

/** Cached for each configuration: an import asks for the policies of thousands of skills. */
function indexByKey<Policy>(byCategory: Record<string, Policy>): Entries<Policy> {
  const known = indexes.get(byCategory) as Entries<Policy> | undefined;
  const index =
    known ?? new Map(Object.entries(byCategory).map((entry) => [categoryKey(entry[0]), entry]));
  indexes.set(byCategory, index);
  return index;
}

function defined<Values extends object>(values: Values | undefined): Partial<Values> {
  const entries = Object.entries(values ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Values>;
}
