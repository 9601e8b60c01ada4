import { maxQueryLength } from '@knowhow/shared/list';
import { plainName } from '@knowhow/shared/names';
import { type SkillSummary, skillsApi } from '@knowhow/shared/skills/skills';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';

/** The skills that a user may choose in an app. */
export interface SkillsOfApp {
  /** All of them, or the first ones. */
  items: SkillSummary[];
  isAll: boolean;
  /** Their total number. */
  total: number;
}

/** Above this number, the server searches. */
const mostLoaded = 500;
const mostFound = 100;

/** The query for an app's skills: only the first of very many. */
export function appSkillsQuery(appId: string) {
  return queryOptions({
    queryKey: [skillsApi.list.path, 'of-app', appId],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<SkillsOfApp> => {
      const pageAt = (cursor: string | undefined) =>
        call(skillsApi.list, { query: { app: appId, limit: 200, cursor } }, { signal });
      const { items, total, nextCursor } = await pageAt(undefined);
      if (total > mostLoaded) {
        return { items, isAll: false, total };
      }
      for (let cursor = nextCursor; cursor !== undefined; ) {
        const page = await pageAt(cursor);
        items.push(...page.items);
        cursor = page.nextCursor;
      }
      return { items, isAll: true, total: items.length };
    },
  });
}

/** The query for an app's skills that match the input, best first. */
export function matchingSkillsQuery(appId: string, typed: string) {
  const asked = typed.slice(0, maxQueryLength);
  return query(skillsApi.list, { query: { app: appId, query: asked, limit: mostFound } });
}

/** The skill whose exact name was typed, case-insensitively. */
export function findSkillByName(
  skills: readonly SkillSummary[],
  typed: string,
): SkillSummary | undefined {
  const wanted = plainName(typed);
  return skills.find(({ name, userInvocable }) => userInvocable && plainName(name) === wanted);
}
