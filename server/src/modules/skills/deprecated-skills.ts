import type { SkillView } from './skill-view.ts';
import type { VisibleSkill } from './visible-skill.ts';

/**
 * The visible skill to use instead of a deprecated one: its successor, or that of the successor if it is
 * deprecated, too. Undefined without one, and if a text editor has made a circle of them.
 */
export function findReplacement(
  view: Pick<SkillView, 'find'>,
  skill: VisibleSkill,
): VisibleSkill | undefined {
  const seen = new Set([skill.id]);
  let current = skill;
  while (current.deprecated) {
    const { successor } = current.deprecated;
    const next = successor === undefined || seen.has(successor) ? undefined : view.find(successor);
    // A name can also find another skill, by its title.
    if (!next || next.id !== successor) {
      return undefined;
    }
    seen.add(next.id);
    current = next;
  }
  return current === skill ? undefined : current;
}

/** Whether models are told about another skill instead. */
export function isReplaced(view: Pick<SkillView, 'find'>, skill: VisibleSkill): boolean {
  return skill.deprecated !== undefined && findReplacement(view, skill)?.modelInvocable === true;
}

/** The same order, with deprecated skills at the end. */
export function withDeprecatedLast<Item>(
  items: readonly Item[],
  skillOf: (item: Item) => Pick<VisibleSkill, 'deprecated'>,
): readonly Item[] {
  const isDeprecated = (item: Item) => skillOf(item).deprecated !== undefined;
  return items.some(isDeprecated)
    ? [...items.filter((item) => !isDeprecated(item)), ...items.filter(isDeprecated)]
    : items;
}
