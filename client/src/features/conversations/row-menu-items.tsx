import type { ConversationSummary } from '@knowhow/shared/conversations';
import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconChecks,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './conversation-row.module.css';

export interface RowMenuProps {
  conversation: ConversationSummary;
  onChange: (change: { pinned?: boolean; archived?: boolean }) => void;
  onRename: () => void;
  onSelect: () => void;
  onDelete: () => void;
}

/** What can be done with one conversation of the list. */
export function RowMenuItems(props: RowMenuProps) {
  const { conversation, onChange, onRename, onSelect, onDelete } = props;
  const { t } = useTranslation();
  const { isPinned = false, isArchived = false } = conversation;
  const Pin = isPinned ? IconPinnedOff : IconPin;
  const Archive = isArchived ? IconArchiveOff : IconArchive;
  return (
    <>
      {!isArchived && (
        <Menu.Item leftSection={<Pin size={16} />} onClick={() => onChange({ pinned: !isPinned })}>
          {t(isPinned ? 'conversations.unpin' : 'conversations.pin')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
        {t('conversations.rename')}
      </Menu.Item>
      <Menu.Item
        leftSection={<Archive size={16} />}
        onClick={() => onChange({ archived: !isArchived })}
      >
        {t(isArchived ? 'conversations.unarchive' : 'conversations.archive')}
      </Menu.Item>
      <Menu.Item leftSection={<IconChecks size={16} />} onClick={onSelect}>
        {t('conversations.select')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTrash size={16} />}
        className={classes.delete}
        onClick={onDelete}
      >
        {t('conversations.delete')}
      </Menu.Item>
    </>
  );
}
