import { useParams } from 'react-router';
import { AppItem } from '../../features/admin-config/app-item.tsx';

export function AppPage() {
  const { id = '' } = useParams();
  return <AppItem key={id} id={id} />;
}
