import { type SharedPrompt, sharedPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { allItems, endpointQueryFilter } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { asLocalized, asText } from '../items/config-value.ts';
import { ItemList } from '../items/item-list.tsx';
import classes from './prompt-list.module.css';

export function PromptList() {
  const { t } = useTranslation();
  const localize = useLocalize();
  return (
    <ItemList
      kind="prompts"
      columns={[
        {
          label: t('adminConfig.description'),
          render: ({ config }) => localize(asLocalized(config?.description)),
        },
        {
          label: t('adminConfig.prompt.category'),
          render: ({ config }) => asText(config?.category),
        },
      ]}
    >
      <SharedPrompts />
    </ItemList>
  );
}

/** Prompts shared by users; renders nothing if there are none. */
function SharedPrompts() {
  const { t } = useTranslation();
  const { data = [], error, refetch } = useQuery(allItems(sharedPromptsApi.list, {}));
  if (data.length === 0 && !error) {
    return null;
  }
  return (
    <section className={classes.section} aria-label={t('adminConfig.sharedPrompts.title')}>
      <h2 className={classes.title}>{t('adminConfig.sharedPrompts.title')}</h2>
      <p className={classes.about}>{t('adminConfig.sharedPrompts.about')}</p>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      <ul className={classes.list}>
        {data.map((prompt) => (
          <SharedRow key={prompt.id} prompt={prompt} />
        ))}
      </ul>
    </section>
  );
}

function SharedRow({ prompt }: { prompt: SharedPrompt }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { id, name, text, owner, groups } = prompt;
  const end = useMutation({
    mutationFn: () => call(sharedPromptsApi.remove, { params: { id } }),
    onSuccess: () => {
      notifications.show({
        message: t('adminConfig.sharedPrompts.ended', { name }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      return queryClient.invalidateQueries(endpointQueryFilter(sharedPromptsApi.list));
    },
  });
  return (
    <li>
      <div className={classes.row}>
        <details className={classes.words}>
          <summary>
            <span className={classes.name}>{name}</span>
            <span className={classes.facts}>
              {t('adminConfig.sharedPrompts.by', { owner, groups: groups.join(', ') })}
            </span>
          </summary>
          <p className={classes.text}>{text}</p>
        </details>
        <Button
          variant="default"
          size="xs"
          aria-label={t('adminConfig.sharedPrompts.endOf', { name })}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          {t('adminConfig.sharedPrompts.end')}
        </Button>
      </div>
      {end.error && <ErrorNote error={end.error} />}
    </li>
  );
}
