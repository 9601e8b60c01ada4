import { authApi, type Me } from '@knowhow/shared/access/auth';
import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconBolt,
  IconChecks,
  IconDownload,
  IconFolder,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconShare3,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import classes from './conversation-row.module.css';
import type { RowDialogName } from './row-dialog.tsx';

export interface RowMenuItemsProps {
  conversation: ConversationSummary;
  onChange: (change: { pinned?: boolean; archived?: boolean }) => void;
  onRename: () => void;
  /** Opens a dialog about it. */
  onOpen: (dialog: RowDialogName) => void;
  onMove: () => void;
  onSelect: () => void;
  onDelete: () => void;
}

/** Actions on one conversation of the list. */
export function RowMenuItems(props: RowMenuItemsProps) {
  const { conversation, onChange, onRename, onOpen, onMove, onSelect, onDelete } = props;
  const { t } = useTranslation();
  const me = useQueryClient().getQueryData<Me>(query(authApi.me, {}).queryKey);
  const { isPinned = false, isArchived = false } = conversation;
  const Pin = isPinned ? IconPinnedOff : IconPin;
  const Archive = isArchived ? IconArchiveOff : IconArchive;
  return (
    <>
      {!isArchived && (
        <Menu.Item leftSection={<Pin size={16} />} onClick={() => onChange({ pinned: !isPinned })}>
          {t(isPinned ? 'rows.unpin' : 'rows.pin')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconPencil size={16} />} onClick={onRename}>
        {t('rows.rename')}
      </Menu.Item>
      {me?.mayShare && (
        <Menu.Item leftSection={<IconShare3 size={16} />} onClick={() => onOpen('share')}>
          {t('share.action')}
        </Menu.Item>
      )}
      {me?.mayWriteSkills && (
        <Menu.Item
          leftSection={<IconBolt size={16} />}
          component={Link}
          to={`/my/skills/new?conversation=${conversation.id}`}
        >
          {t('mySkills.fromConversation.action')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => onOpen('export')}>
        {t('export.action')}
      </Menu.Item>
      <Menu.Item
        leftSection={<Archive size={16} />}
        onClick={() => onChange({ archived: !isArchived })}
      >
        {t(isArchived ? 'rows.unarchive' : 'rows.archive')}
      </Menu.Item>
      <Menu.Item leftSection={<IconFolder size={16} />} onClick={onMove}>
        {t('folders.moveTo')}
      </Menu.Item>
      <Menu.Item leftSection={<IconChecks size={16} />} onClick={onSelect}>
        {t('rows.select')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTrash size={16} />}
        className={classes.delete}
        onClick={onDelete}
      >
        {t('rows.delete')}
      </Menu.Item>
    </>
  );
}
