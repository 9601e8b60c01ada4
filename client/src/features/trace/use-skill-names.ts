import { holdsRight } from '@knowhow/shared/access/admin-rights';
import { authApi } from '@knowhow/shared/access/auth';
import type { Trace } from '@knowhow/shared/chat/traces';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { query } from '../../api/query.ts';

const most = 8;

/** Skill names that match the input: from the trace, and for administrators from all skills. */
export function useSkillNames(trace: Trace, typed: string): string[] {
  const wanted = typed.trim().toLowerCase();
  const asked = wanted !== '';
  const { adminRights = [] } = useQuery(query(authApi.me, {})).data ?? {};
  const isAdmin = holdsRight(adminRights, ['skills']);
  const kept = { placeholderData: keepPreviousData };
  const all = useQuery({
    ...query(adminSkillsApi.list, { query: { query: wanted, limit: most } }),
    ...kept,
    enabled: asked && isAdmin,
  });
  const own = useQuery({
    ...query(skillsApi.list, { query: { query: wanted, app: trace.app, limit: most } }),
    ...kept,
    enabled: asked && !isAdmin,
  });
  const recorded = useMemo(() => collectNames(trace), [trace]);
  const listed = (isAdmin ? all.data?.items : own.data?.items) ?? [];
  if (!asked) {
    return [];
  }
  const found = [...recorded, ...listed.map(({ name }) => name)].filter((name) =>
    name.toLowerCase().includes(wanted),
  );
  const sorted = [...new Set(found)].sort(
    (one, other) =>
      Number(other.startsWith(wanted)) - Number(one.startsWith(wanted)) || (one < other ? -1 : 1),
  );
  return [
    ...sorted.filter((name) => name === wanted),
    ...sorted.filter((name) => name !== wanted),
  ].slice(0, most);
}

function collectNames({ rounds }: Trace): string[] {
  return rounds.flatMap(({ activeSkills, catalogue }) => [
    ...activeSkills,
    ...catalogue.offered,
    ...catalogue.named,
    ...catalogue.leftOut,
    ...catalogue.userOnly,
  ]);
}
