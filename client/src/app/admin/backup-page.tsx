import { AdminBackup } from '../../features/admin-backup/admin-backup.tsx';

export function BackupPage() {
  return <AdminBackup />;
}
