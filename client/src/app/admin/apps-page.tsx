import { AppList } from '../../features/admin-config/app-list.tsx';

export function AppsPage() {
  return <AppList />;
}
