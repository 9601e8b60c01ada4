import { backupApi } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { boundedQueue, exportLimits } from '../../../platform/http/bounded-queue.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { openUploadFolder, withUploadedFile } from '../../../platform/http/read-upload-to-file.ts';
import {
  endOnAccessLoss,
  parseCall,
  recheckAccess,
  register,
  route,
} from '../../../platform/http/route.ts';
import { sendStream } from '../../../platform/http/send-file.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Backups } from '../backups.ts';
import type { ScheduledBackups } from '../schedule-backups.ts';

interface Dependencies {
  backups: Backups;
  scheduledBackups: ScheduledBackups | undefined;
  audit: AuditLog;
}

/** They contain every conversation and the password hashes. */
const withData =
  'Only administrators with all permissions can export users and conversations. Export without them.';

/** Routes for backups. A restore writes its own audit entry in the same transaction. */
export function backupRoutes(router: Router, dependencies: Dependencies): void {
  const { backups, scheduledBackups, audit } = dependencies;
  const queueExport = boundedQueue(exportLimits);
  // Apart from the uploads of skills, so that these never delay a restore.
  const uploads = openUploadFolder(backups.temporaryFolder);

  route(router, backupApi.state, async () => ({
    ...(await backups.state()),
    ...(scheduledBackups ? { schedule: scheduledBackups.state() } : {}),
  }));

  route(router, backupApi.export, ({ query, caller, request, response }) =>
    queueExport(request, async () => {
      const data = query.data === 'true';
      if ((data || query.only?.includes('data')) && caller.permissions.adminAccess !== 'all') {
        throw problem('forbidden', withData);
      }
      const archive = await backups.export({ data, only: query.only });
      const target = `knowhow-${new Date().toISOString().slice(0, 10)}.zip`;
      const after = { data, only: query.only };
      await audit.record({ by: caller, action: 'export', kind: 'backup', target, after });
      response.attachment(target);
      response.set({ 'Content-Type': 'application/zip', 'Cache-Control': 'private, no-store' });
      endOnAccessLoss(backupApi.export, request);
      await sendStream(response, archive);
    }),
  );

  register(router, backupApi.import, async (request, response) => {
    const { query } = parseCall(backupApi.import, request, response);
    const { only, dryRun } = query;
    const destination = { ...uploads, maxBytes: backupApi.import.maxBytes };
    const answer = await withUploadedFile(request, destination, async (file) => {
      const caller = await recheckAccess(backupApi.import, request);
      if (dryRun === 'true') {
        return { plan: await backups.plan(file, only), restored: false };
      }
      return { ...(await backups.restore(file, { only, by: caller })), restored: true };
    });
    response.json(answer);
  });

  route(router, backupApi.snapshots, async ({ query }) =>
    paginate(await backups.snapshots(), query),
  );

  route(router, backupApi.restoreSnapshot, async ({ params, caller }) => ({
    snapshot: await backups.restoreSnapshot(params.id, caller),
  }));

  route(router, backupApi.removeSnapshot, async ({ params: { id }, caller }) => {
    await backups.removeSnapshot(id);
    await audit.record({ by: caller, action: 'remove-snapshot', kind: 'backup', target: id });
  });
}
