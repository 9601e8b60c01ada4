import { skillArchivesApi } from '@knowhow/shared/skill-archives';
import type { Router } from 'express';
import { z } from 'zod';
import { installArchive } from '../../admin/install-archive.ts';
import { reportArchive, reportInstalled, reportText } from '../../admin/report-archive.ts';
import type { SkillAdmin } from '../../admin/skill-admin.ts';
import { changeOf } from '../change-of.ts';
import type { Upload } from '../read-upload.ts';
import { uploadRoute } from '../route.ts';

const nameSchema = z.strictObject({ name: z.string().min(1).max(300) });
const maxNameBytes = 4096;

export function skillArchiveRoutes(router: Router, admin: SkillAdmin): void {
  uploadRoute(router, skillArchivesApi.upload, async (call, upload) => {
    const all = { select: undefined, rename: [], overwrite: false };
    const installed = await installArchive(admin, changeOf(call), { ...upload, ...all });
    call.response.status(201);
    return installed;
  });

  uploadRoute(router, skillArchivesApi.import, (call, upload) => {
    const { overwrite, select, rename = [] } = call.query;
    const choice = { overwrite: overwrite === 'true', select, rename };
    return installArchive(admin, changeOf(call), { ...upload, ...choice });
  });

  uploadRoute(router, skillArchivesApi.validate, ({ query }, upload) => {
    if (query.folder !== undefined) {
      return reportText(admin, upload.bytes, query.folder);
    }
    const name = nameIn(upload);
    return name === undefined ? reportArchive(admin, upload) : reportInstalled(admin, name);
  });
}

/** Of a body that is nothing but `{"name": "…"}`. */
function nameIn({ bytes, mediaType }: Upload): string | undefined {
  if (mediaType !== 'application/json' || bytes.length > maxNameBytes) {
    return undefined;
  }
  try {
    return nameSchema.safeParse(JSON.parse(bytes.toString())).data?.name;
  } catch {
    return undefined;
  }
}
