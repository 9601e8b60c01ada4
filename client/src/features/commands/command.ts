import type { ReactNode } from 'react';

/** A command that is available everywhere, by name. */
export interface Command {
  id: string;
  label: string;
  icon: ReactNode;
  run: () => void;
}
