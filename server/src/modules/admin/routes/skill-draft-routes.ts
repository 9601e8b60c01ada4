import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { route, uploadRoute } from '../../../platform/http/route.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { readArchive } from '../../skills/index.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import {
  changeDraft,
  compareDraft,
  describeDraft,
  discardDraft,
  exportDraft,
  listNewDrafts,
  readDraftFile,
  rebaseDraft,
  saveDraft,
  submitDraft,
} from '../skills/skill-drafts.ts';
import { moveFileEdit, removeFileEdit, writeFileEdit } from '../skills/skill-edits.ts';

/** Routes for drafts of skills. */
export function skillDraftRoutes(router: Router, admin: SkillAdmin): void {
  const { sizeLimits } = admin;

  route(router, skillDraftsApi.list, async ({ query }) =>
    paginate(await listNewDrafts(admin), query),
  );

  route(router, skillDraftsApi.get, ({ params, query }) =>
    query.contents === 'false'
      ? describeDraft(admin, params.skill)
      : exportDraft(admin, params.skill),
  );

  uploadRoute(router, skillDraftsApi.put, async (call, { bytes, ...hint }) => {
    const { skills } = await readArchive(bytes, hint, sizeLimits);
    const [only, ...others] = skills;
    if (!only || others.length > 0) {
      throw problem(
        'invalid-archive',
        `A draft has the files of one skill, and this has ${skills.length} skills. Send one.`,
      );
    }
    return saveDraft(admin, getChangeContext(call), only.files);
  });

  route(router, skillDraftsApi.remove, (call) => discardDraft(admin, getChangeContext(call)));

  route(router, skillDraftsApi.diff, ({ params }) => compareDraft(admin, params.skill));

  route(router, skillDraftsApi.file, async ({ params, response }) => {
    const bytes = await readDraftFile(admin, params);
    await sendFile(response, params.path, { hold: async () => holdBytes(bytes) });
  });

  uploadRoute(router, skillDraftsApi.writeFile, (call, { bytes }) =>
    changeDraft(admin, getChangeContext(call), (writer) =>
      writeFileEdit({ writer, sizeLimits }, call.params.path, bytes),
    ),
  );

  route(router, skillDraftsApi.removeFile, (call) =>
    changeDraft(admin, getChangeContext(call), (writer) =>
      removeFileEdit(writer, call.params.path),
    ),
  );

  route(router, skillDraftsApi.moveFile, (call) =>
    changeDraft(admin, getChangeContext(call), (writer) =>
      moveFileEdit(writer, call.body.from, call.body.to),
    ),
  );

  route(router, skillDraftsApi.rebase, (call) =>
    rebaseDraft(admin, getChangeContext(call), call.body.prefer),
  );

  route(router, skillDraftsApi.submit, async (call) => {
    const review = await submitDraft(admin, getChangeContext(call), call.body.message);
    call.response.status(201);
    return review;
  });
}

/** A file in memory, to be sent. */
export function holdBytes(bytes: Buffer) {
  return {
    size: bytes.length,
    head: async (length: number) => bytes.subarray(0, length),
    stream: () => Readable.from([bytes], { objectMode: false }),
    close: async () => undefined,
  };
}
