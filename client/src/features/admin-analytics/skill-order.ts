import type { SkillUse } from '@knowhow/shared/config/analytics';

/** Sort key of each column: texts ascending, numbers descending. */
export const sortKeys = {
  name: ({ name }) => name,
  conversations: ({ conversations }) => conversations,
  answers: ({ answers }) => answers,
  activations: (use) => activationsOf(use),
  refused: ({ refused }) => refused,
  limited: ({ limited }) => limited,
  ended: ({ ended }) => ended.user,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  cost: ({ costs }) => costs.reduce((sum, { amount }) => sum + amount, 0),
  thumbs: ({ thumbs: { up, down } }) => up - down,
} as const satisfies Record<string, (use: SkillUse) => string | number>;

export type SkillSort = keyof typeof sortKeys;

export interface SkillOrder {
  sort: SkillSort;
  order: 'ascending' | 'descending';
}

/** The initial sort direction of a column. */
export function firstOrder(sort: SkillSort): SkillOrder['order'] {
  return sort === 'name' ? 'ascending' : 'descending';
}

/** Skills whose names contain the words, sorted; ties by name. */
export function sortedSkills(
  skills: readonly SkillUse[],
  words: string,
  { sort, order }: SkillOrder,
): SkillUse[] {
  const key = sortKeys[sort];
  const sign = order === 'ascending' ? 1 : -1;
  const wanted = words.toLowerCase().split(/\s+/);
  return skills
    .filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)))
    .sort((one, other) => {
      const [first, second] = [key(one), key(other)];
      const names = one.name < other.name ? -1 : 1;
      return first === second ? names : first < second ? -sign : sign;
    });
}

/** All activations of a skill, by any means. */
export function activationsOf({ activations }: SkillUse): number {
  return Object.values(activations).reduce((sum, count) => sum + count, 0);
}
