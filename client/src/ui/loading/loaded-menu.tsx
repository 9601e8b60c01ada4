import { Menu, type MenuProps } from '@mantine/core';
import { cloneElement, type ReactNode } from 'react';
import classes from './loaded-menu.module.css';
import type { OpeningButton } from './opened-later.tsx';
import { useOpenedAtOnce } from './use-opened-at-once.ts';

export interface LoadedMenuProps extends Omit<MenuProps, 'children' | 'opened' | 'onChange'> {
  button: OpeningButton;
  /** Receives the components of a menu. */
  children: (parts: typeof Menu) => ReactNode;
  dropdownClassName?: string | undefined;
}

/** The menu of a pressed button. */
export function LoadedMenu({ button, children, dropdownClassName, ...menu }: LoadedMenuProps) {
  const { button: ref, isOpen, setIsOpen } = useOpenedAtOnce();
  return (
    <Menu {...menu} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>{cloneElement(button, { ref })}</Menu.Target>
      <Menu.Dropdown className={dropdownClassName ?? classes.dropdown ?? ''}>
        {children(Menu)}
      </Menu.Dropdown>
    </Menu>
  );
}
