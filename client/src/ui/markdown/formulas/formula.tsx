import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../loading/lazy-part.tsx';
import classes from './formula.module.css';

interface FormulaProps {
  children?: ReactNode;
  'data-tex'?: string;
  'data-display'?: boolean;
  'data-rendered'?: boolean;
}

const Rendered = lazyPart(
  async () => (await import('./rendered-formula.tsx')).RenderedFormula,
  ({ tex }) => <code>{tex}</code>,
);

/** A formula, or its TeX if it cannot be rendered. */
export function Formula({ children, ...data }: FormulaProps) {
  const tex = data['data-tex'] ?? '';
  if (!data['data-rendered']) {
    return <code data-tex={tex}>{children}</code>;
  }
  return (
    <span
      className={classes.formula}
      data-tex={tex}
      data-display={data['data-display'] || undefined}
    >
      <Suspense fallback={<code>{tex}</code>}>
        <Rendered tex={tex}>{children}</Rendered>
      </Suspense>
    </span>
  );
}
