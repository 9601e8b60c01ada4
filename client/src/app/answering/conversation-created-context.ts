import { createContext } from 'react';

/** What happens once the server knows a new conversation, in place of giving it its address. */
export const ConversationCreatedContext = createContext<(() => void) | undefined>(undefined);
