/** The public interface of `operations`: other modules import only this. */
export { type Backups, createBackups, exportState } from './backups.ts';
export type { LeftOut } from './list-tree.ts';
export { recoverRestore } from './recover-restore.ts';
export { readJournal } from './restore-journal.ts';
export { type ScheduledBackups, scheduleBackups } from './schedule-backups.ts';
export { writeBackupFile } from './write-backup-file.ts';
