import { promptsApi } from '@knowhow/shared/chat/prompts';
import type { UserPrompt } from '@knowhow/shared/chat/user-prompts';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { OwnPromptRow } from './own-prompt-row.tsx';
import classes from './own-prompts.module.css';
import { PromptText } from './prompt-text.tsx';
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
