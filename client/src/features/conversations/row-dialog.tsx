import type { ConversationSummary } from '@knowhow/shared/conversations';
import { ShareDialog } from './share-dialog.tsx';

export type RowDialogName = 'share';

interface RowDialogProps {
  name: RowDialogName;
  conversation: ConversationSummary;
  onClose: () => void;
}

/** What opens from the menu of a conversation. */
export function RowDialog({ conversation, onClose }: RowDialogProps) {
  return <ShareDialog conversation={conversation} onClose={onClose} />;
}
