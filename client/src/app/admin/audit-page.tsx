import { AuditList } from '../../features/admin-users/audit-list.tsx';

export function AuditPage() {
  return <AuditList />;
}
