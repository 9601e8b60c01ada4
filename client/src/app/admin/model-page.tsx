import { useParams } from 'react-router';
import { ModelItem } from '../../features/admin-config/model-item.tsx';

export function ModelPage() {
  const { id = '' } = useParams();
  return <ModelItem key={id} id={id} />;
}
