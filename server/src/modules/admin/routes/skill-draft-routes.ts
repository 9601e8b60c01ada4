import { Readable } from 'node:stream';
import { problem } from '@knowhow/shared/problem';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import type { Router } from 'express';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { followRun } from '../../../platform/http/follow-run.ts';
import { hasPrecondition } from '../../../platform/http/if-match.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { getLogFields } from '../../../platform/http/request-log-fields.ts';
import { route, uploadRoute } from '../../../platform/http/route.ts';
import { sendFile } from '../../../platform/http/send-file.ts';
import { stream } from '../../../platform/http/stream.ts';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import { readArchive } from '../../skills/index.ts';
import { prepareReplay, type ReplayTools } from '../skills/replay-draft.ts';
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
import { checkDraftAccess, scopeOf } from '../skills/skill-scope.ts';

type DraftCall = Pick<Parameters<typeof getChangeContext>[0], 'request'> & {
  caller: Caller;
  params: { skill: string };
};

/** Routes for drafts of skills. */
export function skillDraftRoutes(router: Router, admin: Omit<ReplayTools, 'oneAtATime'>): void {
  const oneAtATime = limitConcurrency(1);
  const queueReplays = boundedQueue({
    maxConcurrent: 1,
    maxWaiting: 20,
    maxPerCaller: 2,
    label: 'comparisons',
  });
  const check = (caller: Caller, skill: string) => checkDraftAccess(admin, caller, skill);
  const getChange = (call: DraftCall) => getDraftChange(admin, call);

  draftUploadRoutes(router, admin);

  route(router, skillDraftsApi.list, async ({ query, caller }) =>
    paginate(await listNewDrafts(admin, caller), query),
  );

  route(router, skillDraftsApi.get, async ({ params, query, caller }) => {
    await check(caller, params.skill);
    return query.contents === 'false'
      ? describeDraft(admin, params.skill)
      : exportDraft(admin, params.skill);
  });

  route(router, skillDraftsApi.remove, async (call) => discardDraft(admin, await getChange(call)));

  route(router, skillDraftsApi.diff, async ({ params, caller }) => {
    await check(caller, params.skill);
    return compareDraft(admin, params.skill);
  });

  route(router, skillDraftsApi.file, async ({ params, caller, response }) => {
    await check(caller, params.skill);
    const bytes = await readDraftFile(admin, params);
    await sendFile(response, params.path, { hold: async () => holdBytes(bytes) });
  });

  route(router, skillDraftsApi.removeFile, async (call) =>
    changeDraft(admin, await getChange(call), (writer) => removeFileEdit(writer, call.params.path)),
  );

  route(router, skillDraftsApi.moveFile, async (call) =>
    changeDraft(admin, await getChange(call), (writer) =>
      moveFileEdit(writer, call.body.from, call.body.to),
    ),
  );

  route(router, skillDraftsApi.rebase, async (call) =>
    rebaseDraft(admin, await getChange(call), call.body.prefer),
  );

  stream(router, skillDraftsApi.replay, async ({ params, body, caller, language, request }) => {
    await check(caller, params.skill);
    const log = admin.log.child(getLogFields(request));
    const asked = { ...params, ...body, caller, language };
    const tools = { ...admin, log, oneAtATime };
    const replay = await queueReplays(request, () => prepareReplay(tools, asked));
    return followRun(request, skillDraftsApi.replay, replay);
  });

  route(router, skillDraftsApi.submit, async (call) => {
    const review = await submitDraft(admin, await getChange(call), call.body.message);
    call.response.status(201);
    return review;
  });
}

/** The context of a change by a caller with the right to write the skill. */
async function getDraftChange(admin: SkillAdmin, call: DraftCall) {
  await checkDraftAccess(admin, call.caller, call.params.skill);
  return { ...getChangeContext(call), scope: scopeOf(call.caller, ['author']) };
}

function draftUploadRoutes(router: Router, admin: SkillAdmin): void {
  /** Archives of drafts, which may take long to unpack. */
  const queueArchives = boundedQueue({
    maxConcurrent: 2,
    maxWaiting: 100,
    maxPerCaller: 1,
    maxWaitingPerCaller: 10,
    label: 'uploads of drafts',
  });
  const { sizeLimits } = admin;
  const check = ({ caller, params }: DraftCall) => checkDraftAccess(admin, caller, params.skill);

  uploadRoute(
    router,
    skillDraftsApi.put,
    async (call, { bytes, ...hint }) => {
      const { skills } = await queueArchives(call.request, () =>
        readArchive(bytes, hint, sizeLimits),
      );
      const [only, ...others] = skills;
      if (!only || others.length > 0) {
        throw problem(
          'invalid-archive',
          `A draft has the files of one skill, and this has ${skills.length} skills. Send one.`,
        );
      }
      // Reading the files takes a moment, in which others may have begun a draft of this name.
      const change = await getDraftChange(admin, call);
      return saveDraft(admin, { ...change, mustBegin: !hasPrecondition(call.request) }, only.files);
    },
    check,
  );

  uploadRoute(
    router,
    skillDraftsApi.writeFile,
    async (call, { bytes }) =>
      changeDraft(admin, await getDraftChange(admin, call), (writer) =>
        writeFileEdit({ writer, sizeLimits }, call.params.path, bytes),
      ),
    check,
  );
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
