import type { ConversationSummary } from '@knowhow/shared/conversations';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyMenu } from '../../ui/lazy-menu.tsx';
import classes from './conversation-row.module.css';
import { useRename } from './use-rename.ts';

interface ConversationRowProps {
  conversation: ConversationSummary;
  /** Whether an answer is being written in it. */
  running: boolean;
  onDelete: (conversation: ConversationSummary) => void;
}

export function ConversationRow({ conversation, running, onDelete }: ConversationRowProps) {
  const { t } = useTranslation();
  const [renaming, setRenaming] = useState(false);
  const rename = useRename(conversation.id);
  const title = rename.isPending ? rename.variables : conversation.title;

  if (renaming) {
    return (
      <li className={classes.row}>
        <TitleField
          title={title}
          onDone={(changed) => {
            setRenaming(false);
            if (changed !== '' && changed !== title) {
              rename.mutate(changed);
            }
          }}
        />
      </li>
    );
  }
  return (
    <li className={classes.row}>
      <NavLink className={classes.link} to={`/c/${conversation.id}`} title={title}>
        {running && <span className={classes.running} role="img" aria-label={t('state.writing')} />}
        <span className={classes.title}>{title}</span>
      </NavLink>
      <LazyMenu
        position="bottom-end"
        width={180}
        button={
          <IconButton
            className={classes.more}
            label={t('conversations.actions', { title })}
            icon={<IconDots size={16} />}
            size={28}
          />
        }
      >
        {(Menu) => (
          <>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setRenaming(true)}>
              {t('conversations.rename')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconTrash size={16} />}
              className={classes.delete}
              onClick={() => onDelete(conversation)}
            >
              {t('conversations.delete')}
            </Menu.Item>
          </>
        )}
      </LazyMenu>
    </li>
  );
}

interface TitleFieldProps {
  title: string;
  /** Called with the new title, or with the old one when it was left as it was. */
  onDone: (title: string) => void;
}

function TitleField({ title, onDone }: TitleFieldProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(title);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      onDone(value.trim());
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      onDone(title);
    }
  }

  return (
    <input
      className={classes.field}
      aria-label={t('conversations.newTitle')}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of what was just chosen
      autoFocus
      maxLength={200}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setValue(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => onDone(value.trim())}
    />
  );
}
