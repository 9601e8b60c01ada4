import { conversationImportApi } from '@knowhow/shared/chat/conversation-import';
import type { Request, Router } from 'express';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { boundedQueue } from '../../../platform/http/bounded-queue.ts';
import { orNotFound } from '../../../platform/http/or-not-found.ts';
import {
  endOnAccessLoss,
  recheckAccess,
  route,
  uploadRoute,
} from '../../../platform/http/route.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { toPictureUpload } from '../../attachments/index.ts';
import { findApp } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import { createImports } from '../import/imports.ts';
import { type ReadImport, readImport } from '../import/read-import.ts';

interface Dependencies {
  database: Database;
  cluster: Cluster;
  contents: () => Contents;
}

/** Routes that import conversations from other products. */
export function importRoutes(router: Router, dependencies: Dependencies): void {
  const { database, cluster, contents } = dependencies;
  const imports = createImports(database, toPictureUpload);
  // Parsing one may take a gigabyte of memory.
  const queue = boundedQueue({
    maxConcurrent: 1,
    maxWaiting: 10,
    maxPerCaller: 1,
    label: 'imports',
  });
  const readFile = <Result>(
    request: Request,
    bytes: Buffer,
    use: (read: ReadImport, signal: AbortSignal) => Promise<Result>,
  ) => queue(request, async (signal) => use(await readImport(bytes), signal));

  uploadRoute(router, conversationImportApi.plan, ({ caller, request }, { bytes }) =>
    readFile(request, bytes, (read) => imports.plan(caller.id, read)),
  );

  uploadRoute(router, conversationImportApi.import, (call, { bytes }) => {
    const { caller, params, query, request, response } = call;
    const { id: appId } = findApp(query.app, caller, contents());
    const target = { owner: caller.id, id: params.id, appId, model: '' };
    endOnAccessLoss(conversationImportApi.import, request);
    return readFile(request, bytes, (read, signal) =>
      // Keeps a user from importing the same file twice concurrently.
      cluster.withLock(`import ${caller.id}`, async () => {
        // It may have waited for minutes: do not import into an account that is being deleted.
        await recheckAccess(conversationImportApi.import, request);
        const report = await imports.run(target, read, signal);
        response.status(201);
        return report;
      }),
    );
  });

  route(router, conversationImportApi.list, async ({ caller }) => {
    const items = await imports.list(caller.id);
    return { items, total: items.length };
  });

  route(router, conversationImportApi.progress, async ({ caller, params }) =>
    orNotFound(await imports.progress(caller.id, params.id), 'import'),
  );

  route(router, conversationImportApi.undo, async ({ caller, params }) => ({
    removed: orNotFound(await imports.undo(caller.id, params.id), 'import'),
  }));
}
