import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

export const OwnPromptsPart = lazyPart(
  async () => (await import('../../features/own-prompts/own-prompts-dialog.tsx')).OwnPromptsDialog,
  LostDialog,
);
