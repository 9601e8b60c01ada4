import { filesApi } from '@knowhow/shared/files';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { createDocumentReader } from '../../attachments/read-document.ts';
import { takeUpload } from '../../attachments/take-upload.ts';
import type { CallServices } from '../../tools/run-source-tool.ts';
import { whoAsks } from '../rate-limit.ts';
import { route, uploadRoute } from '../route.ts';

interface Dependencies {
  callServices: Pick<CallServices, 'files'>;
}

/** As many documents are read at once. */
const readers = 2;

/** Files that are to be sent with a message. */
export function fileRoutes(router: Router, { callServices: { files } }: Dependencies): void {
  const reader = createDocumentReader(readers);

  uploadRoute(router, filesApi.upload, async ({ caller, query, request, response }, upload) => {
    const name = upload.fileName ?? query.name;
    // A guest is somebody else whenever they like: one address counts as one.
    const services = { files, read: reader(whoAsks(request)) };
    const isTemporary = query.temporary === 'true';
    const file = { owner: caller.id, name, bytes: upload.bytes, isTemporary };
    const taken = await takeUpload(file, services);
    response.status(201);
    return taken;
  });

  route(router, filesApi.remove, async ({ caller, params }) => {
    if (!(await files.removeUpload(caller.id, params.id))) {
      throw problem('not-found', 'There is no such file that is not sent yet.');
    }
  });
}
