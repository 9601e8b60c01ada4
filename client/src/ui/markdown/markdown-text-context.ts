import { createContext } from 'react';

/** What the ids of a text begin with, so that no two texts of a page have the same. */
export const TextIdContext = createContext('');

/** Whether a block is still being written. */
export const OpenBlockContext = createContext(false);
