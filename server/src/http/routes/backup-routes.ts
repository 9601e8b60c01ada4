import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { backupApi } from '@knowhow/shared/backup';
import type { Response, Router } from 'express';
import type { Backups } from '../../backup/backups.ts';
import type { ScheduledBackups } from '../../backup/schedule-backups.ts';
import type { Log } from '../../lib/log.ts';
import type { AuditLog } from '../../storage/audit-log.ts';
import { pageOf } from '../page-of.ts';
import { withUploadedFile } from '../read-upload-to-file.ts';
import { parseCall, register, route } from '../route.ts';

interface Dependencies {
  backups: Backups;
  scheduledBackups: ScheduledBackups | undefined;
  audit: AuditLog;
  log: Log;
}

/** Backups. A restore writes its own entry of the audit log, together with what it does. */
export function backupRoutes(router: Router, dependencies: Dependencies): void {
  const { backups, scheduledBackups, audit, log } = dependencies;

  route(router, backupApi.state, async () => ({
    ...(await backups.state()),
    ...(scheduledBackups ? { schedule: scheduledBackups.state() } : {}),
  }));

  route(router, backupApi.export, async ({ query, caller, response }) => {
    const data = query.data === 'true';
    const archive = await backups.export({ data, only: query.only });
    const target = `knowhow-${new Date().toISOString().slice(0, 10)}.zip`;
    const after = { data, only: query.only };
    await audit.record({ by: caller, action: 'export', kind: 'backup', target, after });
    response.attachment(target);
    response.set({ 'Content-Type': 'application/zip', 'Cache-Control': 'private, no-store' });
    await send(response, archive, (error) => log.error({ error }, 'a backup could not be made'));
  });

  register(router, backupApi.import, async (request, response) => {
    const { query, caller } = parseCall(backupApi.import, request, response);
    const { only, dryRun } = query;
    const destination = { folder: backups.temporaryFolder, maxBytes: backupApi.import.maxBytes };
    const answer = await withUploadedFile(request, destination, async (file) => {
      if (dryRun === 'true') {
        return { plan: await backups.plan(file, only), restored: false };
      }
      return { ...(await backups.restore(file, { only, by: caller })), restored: true };
    });
    response.json(answer);
  });

  route(router, backupApi.snapshots, async ({ query }) => pageOf(await backups.snapshots(), query));

  route(router, backupApi.restoreSnapshot, async ({ params, caller }) => ({
    snapshot: await backups.restoreSnapshot(params.id, caller),
  }));

  route(router, backupApi.removeSnapshot, async ({ params: { id }, caller }) => {
    await backups.removeSnapshot(id);
    await audit.record({ by: caller, action: 'remove-snapshot', kind: 'backup', target: id });
  });
}

/** Ends the connection when the archive breaks off, and the archive when the reader goes away. */
async function send(
  response: Response,
  archive: Readable,
  onError: (error: Error) => void,
): Promise<void> {
  archive.once('error', (error) => {
    onError(error);
    response.destroy();
  });
  response.once('close', () => archive.destroy());
  archive.pipe(response);
  await once(response, 'close');
}
