import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import type { Selection } from './use-selection.ts';

/** Shared props of conversation rows. */
export interface RowsProps {
  /** IDs of conversations in which an answer is being written. */
  running: ReadonlySet<string>;
  selection: Selection;
  onMove: (conversations: ConversationSummary[]) => void;
  onDelete: (conversations: ConversationSummary[]) => void;
}
