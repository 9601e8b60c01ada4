import { skillHistoryApi, skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { route } from '../../../platform/http/route.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { previewVersion } from '../skills/preview-version.ts';
import { restoreVersion } from '../skills/restore-version.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { checkSkill } from '../skills/skill-scope.ts';
import {
  compareVersions,
  describeVersion,
  listVersions,
  readVersionFile,
} from '../skills/skill-versions.ts';
import { getSkillWrite, isPublisher } from './get-skill-write.ts';
import { holdBytes } from './skill-draft-routes.ts';

export function skillVersionRoutes(router: Router, admin: SkillAdmin): void {
  route(router, skillVersionsApi.list, async ({ params, query, caller }) => {
    await checkSkill(admin, caller, params.skill);
    return listVersions(admin, params.skill, query);
  });

  route(router, skillVersionsApi.get, async ({ params, caller }) => {
    await checkSkill(admin, caller, params.skill);
    return describeVersion(admin, params.skill, params.number);
  });

  route(router, skillVersionsApi.file, async ({ params, caller, response }) => {
    await checkSkill(admin, caller, params.skill);
    const bytes = await readVersionFile(admin, params);
    await sendFile(response, params.path, { hold: async () => holdBytes(bytes) });
  });

  route(router, skillVersionsApi.diff, async ({ params, query, caller }) => {
    await checkSkill(admin, caller, params.skill);
    return compareVersions(admin, params.skill, { number: params.number, from: query.from });
  });

  route(router, skillVersionsApi.preview, (call) => {
    const { skill, number, by } = getChangeContext(call);
    const reason = call.body.override?.reason;
    const preview = { skill, number, by, reason, isPublisher: isPublisher(call.caller) };
    return previewVersion(admin, preview, call.body.groups);
  });

  route(router, skillVersionsApi.restore, (call) =>
    restoreVersion(admin, getSkillWrite(call), call.params.number),
  );

  route(router, skillHistoryApi.history, async ({ params, query }) => {
    const { items, ...page } = await listVersions(admin, params.name, query);
    return {
      ...page,
      items: items.map(({ created, author, isCurrent, ...version }) => ({
        ...version,
        at: created,
        by: author,
        current: isCurrent,
      })),
    };
  });

  route(router, skillHistoryApi.restore, (call) => {
    const { name, revision, by, expected } = getChangeContext(call);
    const write = {
      skill: name,
      by,
      expected,
      message: undefined,
      reason: call.query.override,
      isPublisher: isPublisher(call.caller),
    };
    return restoreVersion(admin, write, revision);
  });
}
