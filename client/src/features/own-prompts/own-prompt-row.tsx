import { type UserPrompt, userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './own-prompts.module.css';
import { PromptText } from './prompt-text.tsx';
import { useRefreshPrompts } from './use-refresh-prompts.ts';

interface OwnPromptRowProps {
  prompt: UserPrompt;
  groups: readonly { id: string; name: string }[];
  onEdit: () => void;
}

export function OwnPromptRow({ prompt, groups, onEdit }: OwnPromptRowProps) {
  const { t } = useTranslation();
  const refresh = useRefreshPrompts();
  const [isAsked, setAsked] = useState(false);
  const { id, name, text } = prompt;
  const remove = useMutation({
    mutationFn: () => call(userPromptsApi.remove, { params: { id } }),
    onSuccess: () => {
      setAsked(false);
      refresh();
    },
  });
  const names = new Map(groups.map((group) => [group.id, group.name]));
  const shared = prompt.groups.map((group) => names.get(group) ?? group).join(', ');
  return (
    <li className={classes.row}>
      <PromptText
        name={name}
        text={text}
        note={shared && t('ownPrompts.sharedWith', { groups: shared })}
      />
      <IconButton
        label={t('ownPrompts.changeOf', { name })}
        icon={<IconPencil size={16} />}
        onClick={onEdit}
      />
      <IconButton
        label={t('ownPrompts.deleteOf', { name })}
        icon={<IconTrash size={16} />}
        aria-haspopup="dialog"
        onClick={() => setAsked(true)}
      />
      <ConfirmDialog
        title={t('ownPrompts.deleteAsk', { name })}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate()}
        confirmLabel={t('ownPrompts.delete')}
        error={remove.error}
        isBusy={remove.isPending}
      >
        <p>
          {shared ? t('ownPrompts.deleteShared', { groups: shared }) : t('ownPrompts.deleteAbout')}
        </p>
      </ConfirmDialog>
    </li>
  );
}
