import { createContext } from 'react';
import { fileUrl } from '../../../ui/files/file-address.ts';

/** The source of message details. */
export interface Reading {
  fileUrl: (id: string) => string;
  /** In a shared conversation: the result of a call; null if not shared. If omitted, the server is asked. */
  resultOf?: (messageId: string, number: number) => string | null;
}

export const ReadingContext = createContext<Reading>({ fileUrl });
