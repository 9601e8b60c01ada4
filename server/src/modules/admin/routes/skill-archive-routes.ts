import { skillRights } from '@knowhow/shared/access/admin-rights';
import { parseWith } from '@knowhow/shared/describe-issue';
import { problem } from '@knowhow/shared/problem';
import { skillArchivesApi } from '@knowhow/shared/skills/skill-archives';
import type { Request, Router } from 'express';
import { z } from 'zod';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { type LargeUpload, openUploadFolder } from '../../../platform/http/read-upload-to-file.ts';
import { largeUploadRoute } from '../../../platform/http/route.ts';
import { parseBoundedJson } from '../../../platform/lib/json-meter.ts';
import { requireRight } from '../../identity/index.ts';
import type { Backups } from '../../operations/index.ts';
import { type ReadSources, readSources } from '../../skills/index.ts';
import { installArchive } from '../skills/install-archive.ts';
import { reportArchive, reportInstalled, reportText } from '../skills/report-archive.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { checkDraftAccess } from '../skills/skill-scope.ts';
import type { UploadCache } from '../skills/upload-cache.ts';
import { getSkillWrite, isPublisher } from './get-skill-write.ts';

const nameSchema = z.strictObject({ name: z.string().min(1).max(300) });
/** Names and folders of thousands of skills do not fit a query. */
const entriesSchema = z.array(z.string().min(1).max(1000)).max(10_000);
const tokenSchema = z.strictObject({
  token: z.string().min(1).max(100),
  select: entriesSchema.optional(),
  rename: entriesSchema.optional(),
});
const maxJsonBytes = 1024 * 1024;
/** Limits of a body that replaces the file: two lists, and a few fields. */
const jsonLimits = {
  maxBytes: maxJsonBytes,
  maxDepth: 16,
  maxValues: 25_000,
  maxKeys: 100,
  maxStringBytes: maxJsonBytes,
};

interface Services extends SkillAdmin {
  uploads: UploadCache;
  backups: Pick<Backups, 'temporaryFolder'>;
}

export function skillArchiveRoutes(
  router: Router,
  { uploads, backups: { temporaryFolder }, ...admin }: Services,
): void {
  const folder = openUploadFolder(temporaryFolder);
  /** Unpacking a small archive can take as long as a large one, so each caller unpacks one at a time. */
  const queue = boundedQueue({
    maxConcurrent: 4,
    maxWaiting: 200,
    maxPerCaller: 1,
    maxWaitingPerCaller: 40,
    label: 'archives',
  });
  const read = (request: Request, upload: LargeUpload): Promise<ReadSources> =>
    queue(request, async () => ({
      ...(await readSources(upload.path ?? upload.bytes, upload, admin.sizeLimits)),
      fileName: upload.fileName,
    }));

  largeUploadRoute(router, skillArchivesApi.upload, folder, async (call, upload) => {
    const all = { select: undefined, rename: [], overwrite: false };
    const installed = await installArchive(
      admin,
      getSkillWrite(call),
      await read(call.request, upload),
      all,
    );
    call.response.status(201);
    return installed;
  });

  largeUploadRoute(router, skillArchivesApi.import, folder, async (call, upload) => {
    const { overwrite, ...query } = call.query;
    const { token, ...body } = parseToken(upload) ?? {};
    const { select, rename = [] } = { ...query, ...body };
    const choice = { overwrite: overwrite === 'true', select, rename };
    const install = (archive: ReadSources) =>
      installArchive(admin, getSkillWrite(call), archive, choice);
    return token === undefined
      ? install(await read(call.request, upload))
      : uploads.use({ token, userId: call.caller.id }, install);
  });

  largeUploadRoute(
    router,
    skillArchivesApi.validate,
    folder,
    async ({ query, caller, request }, upload) => {
      if (query.folder !== undefined) {
        if (!upload.bytes) {
          throw problem('too-large', 'A SKILL.md is text of a few kilobytes. Send it alone.');
        }
        return reportText(admin, upload.bytes, query.folder);
      }
      const { name } = parseSmallJson(upload, nameSchema) ?? {};
      if (name !== undefined) {
        return reportInstalled(admin, name);
      }
      const archive = await read(request, upload);
      const report = await reportArchive(admin, archive, isPublisher(caller));
      return { ...report, token: uploads.keep(caller.id, archive) };
    },
    async ({ query, caller }) => {
      if (query.folder === undefined) {
        // Only archives are compared with the skills of others.
        requireRight(caller, 'skills');
      } else {
        await checkDraftAccess(admin, caller, query.folder, skillRights);
      }
    },
  );
}

/** The token that replaces the file; undefined for an archive. Throws `invalid-request` for a wrong selection. */
function parseToken(upload: LargeUpload): z.output<typeof tokenSchema> | undefined {
  // A skill as JSON may have other fields of this name.
  const token = parseSmallJson(
    upload,
    z.looseObject({ token: z.string(), skill: z.undefined().optional() }),
  );
  if (!token) {
    return undefined;
  }
  const { data, error } = parseWith(tokenSchema, token);
  if (!data) {
    const [first] = error.issues;
    const path = first?.path.join('.');
    throw problem('invalid-request', `${path ? `${path}: ` : ''}${first?.message}`);
  }
  return data;
}

/** Parses a small JSON body, such as `{"name": "…"}`, that replaces the file. Other JSON is read as a skill. */
function parseSmallJson<Value>(
  { bytes, mediaType }: LargeUpload,
  schema: z.ZodType<Value>,
): Value | undefined {
  if (mediaType !== 'application/json' || !bytes || bytes.length > maxJsonBytes) {
    return undefined;
  }
  try {
    return schema.safeParse(parseBoundedJson(bytes.toString(), jsonLimits)).data;
  } catch {
    return undefined;
  }
}
