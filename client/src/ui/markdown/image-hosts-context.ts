import { createContext } from 'react';

/** Hosts whose pictures are loaded on the reader's request. */
export const ImageHostsContext = createContext<readonly string[]>([]);
