import { z } from 'zod';
import { endpoint, fileEndpoint, uploadEndpoint } from '../endpoint.ts';
import { listOf, pageQuery } from '../list.ts';
import { fileChangeSchema } from '../skills/file-changes.ts';

/**
 * Parts of a backup, which can be restored separately. `skills` is the folder of local skills,
 * wherever it is; `other` is the rest of `contents/`; `data` are users and conversations.
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

/**
 * Preview or result of a restore. Paths are those in the archive, such as
 * `contents/apps/chat.json`.
 */
export const restorePlanSchema = z.object({
  format: z.enum(['knowhow', 'ihub']),
  /** Time and version from its manifest. */
  createdAt: z.string().optional(),
  app: z.string().optional(),
  /** Parts in the archive, and those selected. */
  parts: z.array(z.enum(backupParts)),
  chosen: z.array(z.string()),
  added: z.number().int(),
  changed: z.number().int(),
  removed: z.number().int(),
  same: z.number().int(),
  /** The first changes, with diffs of text files. */
  changes: z.array(fileChangeSchema),
  /** Errors: nothing is restored unless this is empty. */
  refused: z.array(z.object({ path: z.string(), code: z.string(), message: z.string() })),
  /** Unused files in the archive, and why. */
  notUsed: z.array(z.object({ path: z.string(), message: z.string() })),
  /** Warnings to check before continuing. */
  warnings: z.array(z.string()),
  /** Number of database rows, by kind. */
  data: z.record(z.string(), z.number().int()),
});
export type RestorePlan = z.infer<typeof restorePlanSchema>;

/** A state that a restore has replaced. */
export const snapshotSchema = z.object({
  id: z.string(),
  at: z.string(),
  /** The administrator who ran the restore. */
  by: z.string().optional(),
  /** Its parts. */
  parts: z.array(z.string()),
  files: z.number().int(),
  bytes: z.number().int(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

export const backupStateSchema = z.object({
  /** Approximate size of an export, in bytes, uncompressed. */
  contentsBytes: z.number().int(),
  contentsFiles: z.number().int(),
  /** Whether a restore is in progress. */
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

/** Maximum size of an uploaded backup, in bytes. */
export const maxBackupUpload = 512 * 1024 * 1024;

const only = z
  .string()
  .max(20_000)
  .transform((text) => text.split(',').filter((name) => name !== ''))
  .optional();

export const backupApi = {
  state: endpoint({
    ...forAdmins('Estimated size of a backup, and the state of scheduled backups'),
    method: 'GET',
    path: '/api/admin/backup',
    response: backupStateSchema,
  }),
  export: fileEndpoint({
    ...forAdmins('Downloads a backup as a zip; with data=true including users and conversations'),
    method: 'GET',
    path: '/api/admin/backup/export',
    isDownload: true,
    query: z.strictObject({
      data: z.enum(['true', 'false']).optional(),
      /** Parts, or single items such as `skills/<name>` or `apps/<id>`; default: all. */
      only,
    }),
  }),
  import: uploadEndpoint({
    ...forAdmins('Previews a restore (dryRun=true), or runs it'),
    method: 'POST',
    path: '/api/admin/backup/import',
    maxBytes: maxBackupUpload,
    query: z.strictObject({
      dryRun: z.enum(['true', 'false']).optional(),
      only,
    }),
    response: z.object({
      plan: restorePlanSchema,
      /** Whether it was restored. */
      restored: z.boolean(),
      /** Snapshot of the replaced state. */
      snapshot: z.string().optional(),
    }),
  }),
  snapshots: endpoint({
    ...forAdmins('Snapshots of states that restores have replaced, newest first'),
    method: 'GET',
    path: '/api/admin/backup/snapshots',
    query: pageQuery,
    response: listOf(snapshotSchema),
  }),
  restoreSnapshot: endpoint({
    ...forAdmins('Restores a snapshot; the current state becomes a snapshot'),
    method: 'POST',
    path: '/api/admin/backup/snapshots/:id/restore',
    params: snapshotId,
    response: z.object({ snapshot: z.string() }),
  }),
  removeSnapshot: endpoint({
    ...forAdmins('Deletes a snapshot permanently'),
    method: 'DELETE',
    path: '/api/admin/backup/snapshots/:id',
    params: snapshotId,
    response: z.void(),
  }),
};
