import { skillBinApi } from '@knowhow/shared/skills/skill-bin';
import type { Request, Router } from 'express';
import type { Caller } from '../../../platform/http/caller.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { recheckAccess, route } from '../../../platform/http/route.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import {
  type BinChange,
  describeDeleted,
  listDeleted,
  purgeDeleted,
  restoreDeleted,
} from '../skills/skill-bin.ts';
import { isPublisher } from './get-skill-write.ts';

type Change = Exclude<keyof typeof skillBinApi, 'list'>;

/** Deleted skills: restoring them, and deleting them permanently. */
export function skillBinRoutes(router: Router, admin: SkillAdmin): void {
  const getChange = (change: Change, call: { caller: Caller; request: Request }): BinChange => ({
    by: call.caller,
    isPublisher: isPublisher(call.caller),
    checkAccess: () => recheckAccess(skillBinApi[change], call.request),
  });

  route(router, skillBinApi.list, async ({ query, language }) => {
    const { found, all } = await listDeleted(admin, query.query);
    const page = paginate(found, query);
    const items = await describeDeleted(admin, page.items, language);
    return { ...page, items, all, days: admin.contents().skills.settings.bin.days };
  });

  route(router, skillBinApi.restore, (call) =>
    restoreDeleted(admin, { ...getChange('restore', call), reason: call.body.override?.reason }, [
      ...new Set(call.body.names),
    ]),
  );

  route(router, skillBinApi.remove, (call) =>
    purgeDeleted(admin, getChange('remove', call), call.body.skills),
  );

  route(router, skillBinApi.empty, async (call) => {
    const { found } = await listDeleted(admin);
    const until = Date.parse(call.body.until);
    const seen = found.filter(({ deletedAt }) => Date.parse(deletedAt) <= until);
    return purgeDeleted(admin, getChange('empty', call), seen);
  });
}
