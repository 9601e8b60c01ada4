import { PromptList } from '../../features/admin-config/prompt-list.tsx';

export function PromptsPage() {
  return <PromptList />;
}
