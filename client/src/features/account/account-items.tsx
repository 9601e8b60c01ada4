import type { Me } from '@knowhow/shared/access/auth';
import { Menu } from '@mantine/core';
import {
  IconBell,
  IconBookmarkPlus,
  IconFileImport,
  IconGauge,
  IconKey,
  IconLock,
  IconPlugConnected,
  IconShare3,
  IconShieldLock,
  IconTool,
  IconUser,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MenuDialog } from './menu-dialog.ts';
import { useMe } from './use-me.ts';

/** Menu items of a user with an account. */
export function AccountItems({ onOpen }: { onOpen: (dialog: MenuDialog) => void }) {
  const { t } = useTranslation();
  const me = useMe().data;
  return getAccountItems(me).map(({ dialog, label, Icon }) => (
    <Menu.Item key={dialog} leftSection={<Icon size={16} />} onClick={() => onOpen(dialog)}>
      {t(label)}
    </Menu.Item>
  ));
}

/** Dialogs for users with an account; those of an identity provider have no password here. */
export function getAccountItems(me: Me | undefined) {
  const hasPassword = me?.signsInWith === undefined;
  return accountItems.filter(({ dialog }) => hasPassword || dialog !== 'password');
}

const accountItems = [
  { dialog: 'preferences', label: 'account.preferences', Icon: IconUser },
  { dialog: 'ownPrompts', label: 'account.ownPrompts', Icon: IconBookmarkPlus },
  { dialog: 'consents', label: 'account.tools', Icon: IconTool },
  { dialog: 'connections', label: 'account.connections', Icon: IconPlugConnected },
  { dialog: 'shares', label: 'account.shares', Icon: IconShare3 },
  { dialog: 'imports', label: 'account.imports', Icon: IconFileImport },
  { dialog: 'notices', label: 'account.notices', Icon: IconBell },
  { dialog: 'apiKeys', label: 'account.apiKeys', Icon: IconKey },
  { dialog: 'usage', label: 'account.usage', Icon: IconGauge },
  { dialog: 'security', label: 'account.security', Icon: IconShieldLock },
  { dialog: 'password', label: 'account.changePassword', Icon: IconLock },
] as const;
