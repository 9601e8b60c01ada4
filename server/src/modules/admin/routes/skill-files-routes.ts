import { problem } from '@knowhow/shared/problem';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import type { Router } from 'express';
import { route, uploadRoute } from '../../../platform/http/route.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { changeSkill } from '../skills/change-skill.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { moveFileEdit, removeFileEdit, writeFileEdit } from '../skills/skill-edits.ts';
import { findEntry } from '../skills/skill-entries.ts';
import { checkSkill } from '../skills/skill-scope.ts';
import { getSkillWrite } from './get-skill-write.ts';

export function skillFilesRoutes(router: Router, admin: SkillAdmin): void {
  const { skills, sizeLimits } = admin;

  route(router, adminSkillFilesApi.file, async ({ params: { name, path }, caller, response }) => {
    await checkSkill(admin, caller, name);
    const file = await skills.openFile(findEntry(skills.snapshot, name), path);
    if (!file) {
      throw problem('not-found', `Skill "${name}" has no file '${path}'.`);
    }
    await sendFile(response, path, file);
  });

  uploadRoute(router, adminSkillFilesApi.writeFile, (call, { bytes }) =>
    changeSkill(admin, getSkillWrite(call), (writer) =>
      writeFileEdit({ writer, sizeLimits }, call.params.path, bytes),
    ),
  );

  route(router, adminSkillFilesApi.removeFile, (call) =>
    changeSkill(admin, getSkillWrite(call), (writer) => removeFileEdit(writer, call.params.path)),
  );

  route(router, adminSkillFilesApi.moveFile, (call) =>
    changeSkill(admin, getSkillWrite(call), (writer) =>
      moveFileEdit(writer, call.body.from, call.body.to),
    ),
  );
}
