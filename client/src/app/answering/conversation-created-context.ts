import { createContext } from 'react';

/** Called once the server has created the conversation, instead of navigating to its URL. */
export const ConversationCreatedContext = createContext<(() => void) | undefined>(undefined);
