import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { Button } from '@mantine/core';
import { IconFolder, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './conversation-list.module.css';

interface SelectionBarProps {
  chosen: ConversationSummary[];
  onDelete: (conversations: ConversationSummary[]) => void;
  onMove: () => void;
  onEnd: () => void;
}

/** Replaces the search in selection mode: the number of conversations, and bulk actions. */
export function SelectionBar({ chosen, onDelete, onMove, onEnd }: SelectionBarProps) {
  const { t } = useTranslation();
  const count = chosen.length;
  return (
    <div className={classes.selection}>
      <span role="status">{t('rows.selected', { count })}</span>
      <IconButton
        label={t('folders.moveTo')}
        icon={<IconFolder size={16} />}
        disabled={count === 0}
        onClick={onMove}
      />
      <Button
        size="compact-sm"
        color="red"
        variant="light"
        disabled={count === 0}
        onClick={() => {
          onDelete(chosen);
          onEnd();
        }}
      >
        {t('rows.deleteCount', { count })}
      </Button>
      <IconButton label={t('rows.endSelection')} icon={<IconX size={16} />} onClick={onEnd} />
    </div>
  );
}
