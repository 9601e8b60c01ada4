import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { Button, Modal, TextInput, UnstyledButton } from '@mantine/core';
import { IconFolder, IconFolderOff } from '@tabler/icons-react';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './move-dialog.module.css';
import { useFolders, useMove } from './use-folders.ts';

interface MoveDialogProps {
  conversations: readonly ConversationSummary[];
  onMoved: () => void;
  onClose: () => void;
}

/** Moves conversations to an existing or new folder, or out of theirs. */
export function MoveDialog({ conversations, onMoved, onClose }: MoveDialogProps) {
  const { t } = useTranslation();
  const { data: folders = [] } = useFolders();
  const move = useMove();
  const [name, setName] = useState('');
  const inOne = new Set(conversations.map(({ folder }) => folder));
  const others = folders.filter((folder) => inOne.size > 1 || !inOne.has(folder.name));
  const into = async (folder: string | null) => {
    onClose();
    onMoved();
    await move(
      conversations.map(({ id }) => id),
      folder,
    );
  };

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (name.trim() !== '') {
      void into(name.trim());
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('folders.moveCount', { count: conversations.length })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <ul className={classes.folders} aria-label={t('folders.label')}>
        {others.map((folder) => (
          <Choice
            key={folder.name}
            icon={<IconFolder size={17} />}
            onClick={() => into(folder.name)}
          >
            {folder.name}
          </Choice>
        ))}
        {!(inOne.size === 1 && inOne.has(undefined)) && (
          <Choice icon={<IconFolderOff size={17} />} onClick={() => into(null)}>
            {t('folders.out')}
          </Choice>
        )}
      </ul>
      <form className={classes.form} onSubmit={onSubmit}>
        <TextInput
          data-autofocus={others.length === 0 || undefined}
          label={t('folders.newFolder')}
          value={name}
          maxLength={80}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {t('folders.make')}
        </Button>
      </form>
    </Modal>
  );
}

interface ChoiceProps {
  icon: ReactNode;
  onClick: () => void;
  children: string;
}

function Choice({ icon, onClick, children }: ChoiceProps) {
  return (
    <li>
      <UnstyledButton className={classes.folder} onClick={onClick}>
        {icon}
        <span>{children}</span>
      </UnstyledButton>
    </li>
  );
}
