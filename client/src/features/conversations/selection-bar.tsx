import type { ConversationSummary } from '@knowhow/shared/conversations';
import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './conversation-list.module.css';

interface SelectionBarProps {
  chosen: ConversationSummary[];
  onDelete: (conversations: ConversationSummary[]) => void;
  onEnd: () => void;
}

/** In place of the search while conversations are chosen: how many, and what can be done with them. */
export function SelectionBar({ chosen, onDelete, onEnd }: SelectionBarProps) {
  const { t } = useTranslation();
  const count = chosen.length;
  return (
    <div className={classes.selection}>
      <span role="status">{t('conversations.selected', { count })}</span>
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
        {t('conversations.deleteCount', { count })}
      </Button>
      <IconButton
        label={t('conversations.endSelection')}
        icon={<IconX size={16} />}
        onClick={onEnd}
      />
    </div>
  );
}
