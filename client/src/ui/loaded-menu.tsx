import { Menu } from '@mantine/core';
import { cloneElement } from 'react';
import type { LazyMenuProps } from './lazy-menu.tsx';
import { useOpenedAtOnce } from './use-opened-at-once.ts';

/** The menu of a button that has been pressed. */
export function LoadedMenu({ button, children, dropdownClassName, ...menu }: LazyMenuProps) {
  const { button: ref, isOpen, setIsOpen } = useOpenedAtOnce();
  return (
    <Menu {...menu} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>{cloneElement(button, { ref })}</Menu.Target>
      <Menu.Dropdown className={dropdownClassName ?? ''}>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}
