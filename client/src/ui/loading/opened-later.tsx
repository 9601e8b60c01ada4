import {
  type ComponentType,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type Ref,
  Suspense,
  startTransition,
  useState,
} from 'react';
import { lazyPart } from './lazy-part.tsx';

interface ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onPointerEnter?: () => void;
  'aria-haspopup'?: 'menu' | 'dialog';
  'aria-expanded'?: boolean;
}

/** A button that opens something, and has no handlers of its own. */
export type OpeningButton = ReactElement<ButtonProps>;

/**
 * A button and what it opens, as one component. Until it is first pressed there is the button alone: what draws
 * menus and the like is a tenth of the first page. The component that is loaded then shows the button with what
 * it opens, open at once (`useOpenedAtOnce`).
 *
 * @param load the component; where it cannot be loaded, the next press tries again
 */
export function openedLater<Props extends { button: OpeningButton }>(
  load: () => Promise<ComponentType<Props>>,
  opens: 'menu' | 'dialog',
): ComponentType<Props> {
  const Loaded = lazyPart(load, ({ button, onRetry }) =>
    cloneElement(button, { onClick: onRetry }),
  );

  return function OpenedLater(props: Props) {
    const [isWanted, setIsWanted] = useState(false);
    // The button stays until all is there, which takes its focus over.
    const open = () => startTransition(() => setIsWanted(true));
    const waiting = cloneElement(props.button, {
      'aria-haspopup': opens,
      'aria-expanded': false,
      onClick: open,
      onKeyDown: ({ key }) => opens === 'menu' && key === 'ArrowDown' && open(),
      onPointerEnter: () => void load().catch(() => undefined),
    });
    return isWanted ? (
      <Suspense fallback={waiting}>
        <Loaded {...props} />
      </Suspense>
    ) : (
      waiting
    );
  };
}
