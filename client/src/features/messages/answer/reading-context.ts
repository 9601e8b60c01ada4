import { createContext } from 'react';
import { fileAddress } from '../../../ui/files/file-address.ts';

/** Where what belongs to messages is read from. */
export interface Reading {
  fileAddress: (id: string) => string;
  /** In a shared conversation: what a call gave; null where that is not shared. Without it the server is asked. */
  resultOf?: (messageId: string, number: number) => string | null;
}

export const ReadingContext = createContext<Reading>({ fileAddress });
