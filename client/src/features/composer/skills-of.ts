import { maxQueryLength } from '@knowhow/shared/list';
import { plainName } from '@knowhow/shared/names';
import { type SkillSummary, skillsApi } from '@knowhow/shared/skills/skills';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';

/** The skills a user may choose in an app. */
export interface SkillsOfApp {
  /** All of them, or the first. */
  items: SkillSummary[];
  isAll: boolean;
  /** How many there are. */
  total: number;
}

/** Of more the server is asked for what is looked for. */
const mostLoaded = 500;
const mostFound = 100;

/** The query for an app's skills: only the first of very many. */
export function skillsOf(appId: string) {
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

/** The query for those of an app's skills that fit what is typed, best first. */
export function skillsLike(appId: string, typed: string) {
  const asked = typed.slice(0, maxQueryLength);
  return query(skillsApi.list, { query: { app: appId, query: asked, limit: mostFound } });
}

/** The one whose very name was typed, without regard to case. */
export function skillNamed(
  skills: readonly SkillSummary[],
  typed: string,
): SkillSummary | undefined {
  const wanted = plainName(typed);
  return skills.find(({ name, userInvocable }) => userInvocable && plainName(name) === wanted);
}
