import { lazyPart } from '../ui/lazy-part.tsx';
import { LostDialog } from '../ui/lost-part.tsx';

export const OwnPromptsPart = lazyPart(
  async () => (await import('../features/own-prompts/own-prompts-dialog.tsx')).OwnPromptsDialog,
  LostDialog,
);
