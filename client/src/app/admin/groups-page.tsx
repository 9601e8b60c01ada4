import { GroupList } from '../../features/admin-config/group-list.tsx';

export function GroupsPage() {
  return <GroupList />;
}
