import { useParams } from 'react-router';
import { PromptItem } from '../../features/admin-config/prompt-item.tsx';

export function PromptPage() {
  const { id = '' } = useParams();
  return <PromptItem key={id} id={id} />;
}
