import 'katex/dist/katex.min.css';
import type { ReactNode } from 'react';

/** A rendered formula, with the styles for its markup. */
export function RenderedFormula({ children }: { tex: string; children: ReactNode }) {
  return children;
}
