import { createContext } from 'react';

/** The conversation whose messages are shown: what calls of tools are answered in. */
export const ConversationContext = createContext('');
