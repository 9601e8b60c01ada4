import { useParams } from 'react-router';
import { GroupItem } from '../../features/admin-config/group-item.tsx';

export function GroupPage() {
  const { id = '' } = useParams();
  return <GroupItem key={id} id={id} />;
}
