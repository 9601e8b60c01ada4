import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './sidebar-drawer.module.css';

interface SidebarDrawerProps {
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
}

export function SidebarDrawer({ opened, onClose, children }: SidebarDrawerProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
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
