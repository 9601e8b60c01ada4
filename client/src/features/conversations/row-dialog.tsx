import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { ExportDialog } from './transfer/export-dialog.tsx';
import { ShareDialog } from './transfer/share-dialog.tsx';

export type RowDialogName = 'share' | 'export';

interface RowDialogProps {
  name: RowDialogName;
  conversation: ConversationSummary;
  onClose: () => void;
}

/** The dialogs of a conversation's menu. */
export function RowDialog({ name, ...dialog }: RowDialogProps) {
  return name === 'share' ? <ShareDialog {...dialog} /> : <ExportDialog {...dialog} />;
}
