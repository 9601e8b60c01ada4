import { createContext } from 'react';

/** Speech features that the installation allows: `input` by microphone, `output` by reading aloud. */
export const SpeechContext = createContext<readonly ('input' | 'output')[]>([]);
