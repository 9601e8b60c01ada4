import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import type { Selection } from './use-selection.ts';

/** What rows of conversations need beside these. */
export interface RowsProps {
  /** Ids of conversations in which an answer is being written. */
  running: ReadonlySet<string>;
  selection: Selection;
  onMove: (conversations: ConversationSummary[]) => void;
  onDelete: (conversations: ConversationSummary[]) => void;
}
