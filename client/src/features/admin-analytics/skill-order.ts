import type { SkillUse } from '@knowhow/shared/config/analytics';

/** What each column is sorted by: texts from the first, numbers from the greatest. */
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

/** In which order a column is first sorted. */
export function firstOrder(sort: SkillSort): SkillOrder['order'] {
  return sort === 'name' ? 'ascending' : 'descending';
}

/** Those whose names hold the words, sorted; those that are equal by their names. */
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

/** How often a skill became active, however it came. */
export function activationsOf({ activations }: SkillUse): number {
  return Object.values(activations).reduce((sum, count) => sum + count, 0);
}
