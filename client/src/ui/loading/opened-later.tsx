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

/** A button without event handlers of its own. */
export type OpeningButton = ReactElement<ButtonProps>;

/**
 * A button and the component that it opens, as one component. Until the first press, only the button is loaded:
 * menu components would be a tenth of the first page load. The loaded component then renders the button and is
 * open immediately (`useOpenedAtOnce`).
 *
 * @param load the component; if it cannot be loaded, the next press retries
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
    // The button stays until the component is loaded and takes over its focus.
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
