import { createContext } from 'react';

/** What of speech the installation allows: `input` by a microphone, `output` by reading aloud. */
export const SpeechContext = createContext<readonly ('input' | 'output')[]>([]);
