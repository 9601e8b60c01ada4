import { type OwnerKey, skillOwnersApi } from '@knowhow/shared/skills/skill-owners';
import type { Router } from 'express';
import { route } from '../../../platform/http/route.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { findEntry } from '../skills/skill-entries.ts';

export function skillOwnerRoutes(
  router: Router,
  { audit, owners, skills }: Pick<SkillAdmin, 'audit' | 'owners' | 'skills'>,
): void {
  const find = async (name: string) => {
    const owner = await owners.find(name);
    return owner ? { owner } : {};
  };

  route(router, skillOwnersApi.choices, async ({ query }) => ({
    items: await owners.search(query.query ?? ''),
  }));

  route(router, skillOwnersApi.get, ({ params }) =>
    find(findEntry(skills.snapshot, params.name).name),
  );

  route(router, skillOwnersApi.put, async ({ caller, params, body }) => {
    const { name } = findEntry(skills.snapshot, params.name);
    const before = await owners.find(name);
    await owners.set(name, body.owner);
    const after = await find(name);
    if (!isSame(before, after.owner)) {
      await audit.record({
        by: caller,
        action: 'owner-changed',
        kind: 'skill',
        target: name,
        before: { owner: before },
        after,
      });
    }
    return after;
  });
}

function isSame(one: OwnerKey | undefined, other: OwnerKey | undefined): boolean {
  return one?.kind === other?.kind && one?.id === other?.id;
}
