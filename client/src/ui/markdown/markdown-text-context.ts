import { createContext } from 'react';

/** ID prefix of a text, so that IDs are unique on the page. */
export const TextIdContext = createContext('');

/** Whether a block is still being written. */
export const OpenBlockContext = createContext(false);
