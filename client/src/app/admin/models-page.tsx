import { ModelList } from '../../features/admin-config/model-list.tsx';

export function ModelsPage() {
  return <ModelList />;
}
