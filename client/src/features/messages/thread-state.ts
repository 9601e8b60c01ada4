import { createContext } from 'react';

/** What the messages of a conversation are told beside what they say. */
export interface ThreadState {
  /** Whether an answer is being written, so that nothing can be changed or tried again. */
  busy: boolean;
  /** The models that an answer can be tried again with. */
  models: readonly { id: string; name: string }[];
  /** The line that its reader has just changed to. */
  moved: Move | undefined;
  onMove: (move: Move) => void;
  /** Has another model answer the last question too, beside the answer. */
  onBeside?: (model: string) => void;
  /** Keeps a text as a prompt; undefined for a guest, who has none. */
  onKeep?: ((text: string) => void) | undefined;
}

/** From one line of a conversation to the next. */
export interface Move {
  /** The message of the user that the line begins with. */
  to: string;
  by: 'before' | 'after';
}

export const ThreadStateContext = createContext<ThreadState>({
  busy: false,
  models: [],
  moved: undefined,
  onMove: () => undefined,
});
