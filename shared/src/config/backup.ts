import { z } from 'zod';
import { endpoint, fileEndpoint, uploadEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { fileChangeSchema } from '../skills/file-changes.ts';

/**
 * What a backup is made of, and what can be restored by itself. `skills` is the folder of local skills,
 * wherever it is; `other` is what else is in `contents/`; `data` are users and conversations.
 */
export const backupParts = [
  'apps',
  'models',
  'prompts',
  'config',
  'skills',
  'other',
  'data',
] as const;
export type BackupPart = (typeof backupParts)[number];

/** What a restore would do, or has done. Paths are those in the archive, such as `contents/apps/chat.json`. */
export const restorePlanSchema = z.object({
  format: z.enum(['knowhow', 'ihub']),
  /** When and by which version it was made, as its manifest says. */
  createdAt: z.string().optional(),
  app: z.string().optional(),
  /** What the archive has, and what of it was chosen. */
  parts: z.array(z.enum(backupParts)),
  chosen: z.array(z.string()),
  added: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
  same: z.number().int(),
  /** The first of them, with the difference of text files. */
  changes: z.array(fileChangeSchema),
  /** What keeps it from being restored: nothing is, unless this is empty. */
  refused: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  /** What is in the archive and has no use here, and why. */
  notUsed: z.array(z.object({ path: z.string(), message: z.string() })),
  /** What to look at before going on, as sentences. */
  warnings: z.array(z.string()),
  /** Rows of the database it holds, by kind. */
  data: z.record(z.string(), z.number().int()),
});
export type RestorePlan = z.infer<typeof restorePlanSchema>;

/** A former state that a restore has replaced. */
export const snapshotSchema = z.object({
  id: z.string(),
  at: z.string(),
  /** Whose restore replaced it. */
  by: z.string().optional(),
  /** Parts it holds. */
  parts: z.array(z.string()),
  files: z.number().int(),
  bytes: z.number().int(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const backupStateSchema = z.object({
  /** How large an export would be about, in bytes, without compression. */
  contentsBytes: z.number().int(),
  contentsFiles: z.number().int(),
  /** A restore is under way. */
  restoring: z.boolean(),
  schedule: z
    .object({
      cron: z.string(),
      next: z.string().optional(),
      last: z.object({ at: z.string(), file: z.string(), bytes: z.number().int() }).optional(),
      /** Why the last one failed. */
      error: z.string().optional(),
    })
    .optional(),
});

const forAdmins = (summary: string) => ({ access: 'admin' as const, summary });
const snapshotId = z.strictObject({ id: z.string().min(1).max(100) });

/** Size of an uploaded backup, in bytes. */
export const maxBackupUpload = 512 * 1024 * 1024;

const only = z
  .string()
  .max(20_000)
  .transform((text) => text.split(',').filter((name) => name !== ''))
  .optional();

export const backupApi = {
  state: endpoint({
    ...forAdmins('How large a backup would be, and the state of the scheduled ones'),
    method: 'GET',
    path: '/api/admin/backup',
    response: backupStateSchema,
  }),
  export: fileEndpoint({
    ...forAdmins('Everything as one zip, streamed; with data=true users and conversations too'),
    method: 'GET',
    path: '/api/admin/backup/export',
    isDownload: true,
    query: z.strictObject({
      data: z.enum(['true', 'false']).optional(),
      /** Parts, or single items as `skills/<name>` or `apps/<id>`; all when left out. */
      only,
    }),
  }),
  import: uploadEndpoint({
    ...forAdmins('What a restore would do (dryRun=true), or the restore itself'),
    method: 'POST',
    path: '/api/admin/backup/import',
    maxBytes: maxBackupUpload,
    query: z.strictObject({
      dryRun: z.enum(['true', 'false']).optional(),
      only,
    }),
    response: z.object({
      plan: restorePlanSchema,
      /** Whether it was done. */
      restored: z.boolean(),
      /** The former state, to go back to. */
      snapshot: z.string().optional(),
    }),
  }),
  snapshots: endpoint({
    ...forAdmins('The former states that restores have replaced, the newest first'),
    method: 'GET',
    path: '/api/admin/backup/snapshots',
    query: pageQuery,
    response: listOf(snapshotSchema),
  }),
  restoreSnapshot: endpoint({
    ...forAdmins('Brings a former state back; what is there now becomes a snapshot'),
    method: 'POST',
    path: '/api/admin/backup/snapshots/:id/restore',
    params: snapshotId,
    response: z.object({ snapshot: z.string() }),
  }),
  removeSnapshot: endpoint({
    ...forAdmins('Deletes a former state for good'),
    method: 'DELETE',
    path: '/api/admin/backup/snapshots/:id',
    params: snapshotId,
    response: z.void(),
  }),
};
