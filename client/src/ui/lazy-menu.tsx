import type { Menu, MenuProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { type OpeningButton, openedLater } from './opened-later.tsx';

export interface LazyMenuProps extends Omit<MenuProps, 'children' | 'opened' | 'onChange'> {
  button: OpeningButton;
  /** Gets the components of a menu. */
  children: (parts: typeof Menu) => ReactNode;
  dropdownClassName?: string | undefined;
}

/** A button with a menu, which is loaded when it is first opened. */
export const LazyMenu = openedLater<LazyMenuProps>(
  async () => (await import('./loaded-menu.tsx')).LoadedMenu,
  'menu',
);
