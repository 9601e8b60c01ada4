import { promptsApi } from '@knowhow/shared/chat/prompts';
import type { UserPrompt } from '@knowhow/shared/chat/user-prompts';
import { userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './own-prompts.module.css';
import { useRefreshPrompts } from './use-refresh-prompts.ts';
import type { Written } from './written.ts';

interface PromptListProps {
  prompts: readonly UserPrompt[];
  groups: readonly { id: string; name: string }[];
  onWrite: (written: Written) => void;
}

/** Own prompts, editable, and shared ones, which can be copied. */
export function PromptList({ prompts, groups, onWrite }: PromptListProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.about}>
        {t(prompts.length === 0 ? 'ownPrompts.empty' : 'ownPrompts.about')}
      </p>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        data-autofocus
        onClick={() => onWrite({})}
      >
        {t('ownPrompts.new')}
      </Button>
      <ul className={classes.list}>
        {prompts.map((prompt) => (
          <OwnPromptRow
            key={prompt.id}
            prompt={prompt}
            groups={groups}
            onEdit={() => onWrite(prompt)}
          />
        ))}
      </ul>
      <SharedPrompts onWrite={onWrite} />
    </>
  );
}

function SharedPrompts({ onWrite }: Pick<PromptListProps, 'onWrite'>) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const { data = [] } = useQuery(allItems(promptsApi.list, {}));
  const shared = data.filter(({ sharedBy }) => sharedBy !== undefined);
  if (shared.length === 0) {
    return null;
  }
  return (
    <section aria-label={t('ownPrompts.shared')}>
      <h3 className={classes.heading}>{t('ownPrompts.shared')}</h3>
      <ul className={classes.list}>
        {shared.map(({ id, name, prompt, sharedBy = '' }) => (
          <li key={id} className={classes.row}>
            <PromptText
              name={localize(name)}
              text={localize(prompt)}
              note={t('ownPrompts.by', { name: sharedBy })}
            />
            <Button
              variant="default"
              size="xs"
              aria-label={t('ownPrompts.copyOf', { name: localize(name) })}
              onClick={() => onWrite({ name: localize(name), text: localize(prompt) })}
            >
              {t('ownPrompts.copy')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface OwnPromptRowProps {
  prompt: UserPrompt;
  groups: readonly { id: string; name: string }[];
  onEdit: () => void;
}

function OwnPromptRow({ prompt, groups, onEdit }: OwnPromptRowProps) {
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

interface PromptTextProps {
  name: string;
  text: string;
  /** Groups it is shared with, or its owner. */
  note: string;
}

/** The name and the beginning of a prompt. */
function PromptText({ name, text, note }: PromptTextProps) {
  return (
    <div className={classes.words}>
      <p className={classes.name}>{name}</p>
      <p className={classes.text}>{text.slice(0, 300)}</p>
      {note && <p className={classes.note}>{note}</p>}
    </div>
  );
}
