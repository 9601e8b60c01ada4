import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { categoryKey } from '@knowhow/shared/skills/skill-category';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../api/query.ts';
import { useRight } from './rights.ts';

/** Facets of one answer. */
const most = 200;

/**
 * The categories of all skills by name, each in its most frequent spelling; undefined while unknown, and without the
 * right to see them.
 */
export function useCategories(): string[] | undefined {
  const { i18n } = useTranslation();
  const mayRead = useRight('skills', 'groups', 'skill-author');
  const facets = useQuery({
    ...query(adminSkillsApi.facets, { query: { field: 'category', limit: most } }),
    enabled: mayRead,
  });
  if (!facets.data) {
    return undefined;
  }
  // The most frequent spelling comes first, and stays.
  const rareFirst = facets.data.items.toReversed();
  const byKey = new Map(rareFirst.map(({ value }) => [categoryKey(value), value]));
  return [...byKey.values()].sort(new Intl.Collator(i18n.language).compare);
}
