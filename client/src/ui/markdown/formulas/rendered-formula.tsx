import 'katex/dist/katex.min.css';
import type { ReactNode } from 'react';

/** What a formula looks like: its markup takes the styles that come with this. */
export function RenderedFormula({ children }: { tex: string; children: ReactNode }) {
  return children;
}
