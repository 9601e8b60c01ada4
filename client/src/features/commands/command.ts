import type { ReactNode } from 'react';

/** Something that can be done from anywhere, by name. */
export interface Command {
  id: string;
  label: string;
  icon: ReactNode;
  run: () => void;
}
