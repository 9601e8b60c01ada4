/** What other modules may import from `operations`. */
export { type Backups, createBackups, exportState } from './backups.ts';
export type { LeftOut } from './list-tree.ts';
export { recoverRestore } from './recover-restore.ts';
export { readJournal } from './restore-journal.ts';
export { type ScheduledBackups, scheduleBackups } from './schedule-backups.ts';
export { writeBackupFile } from './write-backup-file.ts';
