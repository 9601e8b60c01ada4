import { Drawer } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import classes from './sidebar-drawer.module.css';

interface SidebarDrawerProps {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function SidebarDrawer({ opened, onClose, children }: SidebarDrawerProps) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(opened);
  if (opened && !isShown) {
    setShown(true);
  }
  useFocusBack(isShown);

  // Otherwise it would close with each dialog or menu opened from it, and their focus would be lost.
  function onKeyDown({ key, target, currentTarget }: KeyboardEvent) {
    if (key === 'Escape' && currentTarget.contains(target as Node)) {
      onClose();
    }
  }

  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setShown(false)}
      closeOnEscape={false}
      onKeyDown={onKeyDown}
      size={304}
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': t('shell.sidebar') } }}
      transitionProps={{ duration: 140 }}
      classNames={{ content: classes.content, body: classes.body }}
    >
      {children}
    </Drawer>
  );
}
