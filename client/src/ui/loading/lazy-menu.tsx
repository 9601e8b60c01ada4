import type { LoadedMenuProps } from './loaded-menu.tsx';
import { openedLater } from './opened-later.tsx';

/** A menu button whose menu is loaded when it is first opened. */
export const LazyMenu = openedLater<LoadedMenuProps>(
  async () => (await import('./loaded-menu.tsx')).LoadedMenu,
  'menu',
);
