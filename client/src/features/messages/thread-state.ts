import type { Message } from '@knowhow/shared/chat/conversations';
import { createContext, type RefObject } from 'react';

/** State that messages need in addition to their content. */
export interface ThreadState {
  /** Whether an answer is being written, so that nothing can be edited or retried. */
  busy: boolean;
  /** The models available for a retry. */
  models: readonly { id: string; name: string }[];
  /** The branch that the reader has just switched to. */
  moved: BranchSwitchTarget | undefined;
  onMove: (move: BranchSwitchTarget) => void;
  /** Starts a comparison answer to the last question. */
  onBeside?: (model: string) => void;
  /** Saves a text as a prompt; undefined for a guest. */
  onKeep?: ((text: string) => void) | undefined;
  /** The current messages; undefined if the reader cannot suggest improvements of skills. */
  shown?: RefObject<readonly Message[] | undefined> | undefined;
  /** Whether the conversation is a temporary chat. */
  isTemporary?: boolean;
  /** Focuses the composer when the focused part of a message disappears. */
  focusComposer?: () => void;
}

/** Switches between branches of a conversation. */
export interface BranchSwitchTarget {
  /** The user message with which the branch begins. */
  to: string;
  by: 'before' | 'after';
}

export const ThreadStateContext = createContext<ThreadState>({
  busy: false,
  models: [],
  moved: undefined,
  onMove: () => undefined,
});
