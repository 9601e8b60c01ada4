import { createContext } from 'react';

/** The conversation in which the shown tool calls are answered. */
export const ConversationContext = createContext('');
