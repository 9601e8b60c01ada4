import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { LostDialog } from '../../ui/loading/lost-part.tsx';

export const OwnPromptsPart = lazyPart(
  async () => (await import('../../features/own-prompts/own-prompts-dialog.tsx')).OwnPromptsDialog,
  LostDialog,
);
