import { createContext } from 'react';

/** Hosts whose pictures are loaded when their reader wants it. */
export const ImageHostsContext = createContext<readonly string[]>([]);
