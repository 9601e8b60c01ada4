import { problem } from '@knowhow/shared/problem';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { route, uploadRoute } from '../../../platform/http/route.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { changeSkill } from '../skills/change-skill.ts';
import { compareRevision, listRevisions, restoreRevision } from '../skills/restore-skill.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { moveFileEdit, removeFileEdit, writeFileEdit } from '../skills/skill-edits.ts';
import { findEntry } from '../skills/skill-entries.ts';

export function skillFilesRoutes(router: Router, admin: SkillAdmin): void {
  const { skills, writer } = admin;

  route(router, adminSkillFilesApi.file, async ({ params: { name, path }, response }) => {
    const file = await skills.openFile(findEntry(skills.snapshot, name), path);
    if (!file) {
      throw problem('not-found', `Skill "${name}" has no file '${path}'.`);
    }
    await sendFile(response, path, file);
  });

  uploadRoute(router, adminSkillFilesApi.writeFile, (call, { bytes }) =>
    changeSkill(admin, getChangeContext(call), writeFileEdit(admin, call.params.path, bytes)),
  );

  route(router, adminSkillFilesApi.removeFile, (call) =>
    changeSkill(admin, getChangeContext(call), removeFileEdit(writer, call.params.path)),
  );

  route(router, adminSkillFilesApi.moveFile, (call) =>
    changeSkill(admin, getChangeContext(call), moveFileEdit(writer, call.body.from, call.body.to)),
  );

  route(router, skillHistoryApi.history, async ({ params, query }) =>
    paginate(await listRevisions(admin, params.name), query),
  );

  route(router, skillHistoryApi.revision, ({ params, query }) => {
    const { name, revision: number } = params;
    return compareRevision(admin, { name, number, against: query.against ?? 'previous' });
  });

  route(router, skillHistoryApi.restore, (call) =>
    restoreRevision(admin, getChangeContext(call), call.params.revision),
  );
}
