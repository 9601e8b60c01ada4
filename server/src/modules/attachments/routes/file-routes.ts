import { filesApi } from '@knowhow/shared/chat/files';
import { resourcesApi } from '@knowhow/shared/chat/resources';
import { problem } from '@knowhow/shared/problem';
import type { Request, Router } from 'express';
import { disconnectedProblem, disconnectSignal } from '../../../platform/http/disconnect-signal.ts';
import { rateLimitKey } from '../../../platform/http/rate-limit.ts';
import { route, uploadRoute } from '../../../platform/http/route.ts';
import { findApp } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { CallServices } from '../../tools/index.ts';
import { attachResource, listResources, type ResourceGate } from '../attach-resource.ts';
import { processUpload } from '../process-upload.ts';
import { createDocumentReader, type DocumentReader } from '../read-document.ts';

interface Dependencies extends Pick<ResourceGate, 'resourceServers'> {
  contents: () => Contents;
  callServices: Pick<CallServices, 'files' | 'toolbox' | 'audit'>;
}

/** Maximum number of documents read concurrently. */
const maxReaders = 2;

/** Routes for message attachments. */
export function fileRoutes(router: Router, dependencies: Dependencies): void {
  const { contents, callServices } = dependencies;
  const { files, toolbox, audit } = callServices;
  const gate = { ...dependencies, toolbox };
  const reader = createDocumentReader(maxReaders);
  // A guest can change their ID at will, so one address counts as one caller.
  const readerFor = (request: Request): DocumentReader => {
    const gone = disconnectSignal(request);
    return async (task) => {
      try {
        return await reader(rateLimitKey(request), gone)(task);
      } catch (error) {
        throw gone.aborted ? disconnectedProblem(error) : error;
      }
    };
  };

  uploadRoute(router, filesApi.upload, async ({ caller, query, request, response }, upload) => {
    const name = upload.fileName ?? query.name;
    const services = { files, read: readerFor(request) };
    const isTemporary = query.temporary === 'true';
    const file = { owner: caller.id, name, bytes: upload.bytes, isTemporary };
    const taken = await processUpload(file, services);
    response.status(201);
    return taken;
  });

  route(router, filesApi.remove, async ({ caller, params }) => {
    if (!(await files.removeUpload(caller.id, params.id))) {
      throw problem('not-found', 'No unsent file has this ID.');
    }
  });

  route(router, resourcesApi.list, async ({ caller, params }) => ({
    items: await listResources(gate, { caller, app: findApp(params.appId, caller, contents()) }),
  }));

  route(router, resourcesApi.attach, async ({ caller, params, body, request, response }) => {
    const app = findApp(params.appId, caller, contents());
    const services = { files, audit, read: readerFor(request) };
    const taken = await attachResource(gate, { caller, app, ...body }, services);
    response.status(201);
    return taken;
  });
}
