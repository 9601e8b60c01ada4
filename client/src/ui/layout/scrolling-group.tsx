import type { ReactNode } from 'react';

interface ScrollingGroupProps {
  label: string;
  className: string | undefined;
  children: ReactNode;
}

/** Wide content that scrolls sideways, also by keyboard. */
export function ScrollingGroup({ label, className, children }: ScrollingGroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: this is no set of form fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div className={className} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
