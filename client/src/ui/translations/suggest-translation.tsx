import { modelsApi } from '@knowhow/shared/config/models';
import { skillTranslationApi } from '@knowhow/shared/skills/skill-translation';
import { Button, NativeSelect } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { LoadError } from '../loading/load-error.tsx';
import { ErrorNote } from '../text/error-note.tsx';
import classes from './translation-fields.module.css';

export interface Original {
  title?: string | undefined;
  description?: string | undefined;
}

interface SuggestTranslationProps {
  /** The texts that have no translation yet. */
  original: Original;
  /** A language tag. */
  language: string;
  onSuggest: (texts: Original) => void;
}

/** Asks a model for the texts that are missing. Nothing is saved. */
export function SuggestTranslation({ original, language, onSuggest }: SuggestTranslationProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState('');
  const loaded = useQuery({ ...allItems(modelsApi.list, {}), enabled: isOpen });
  const models = (loaded.data ?? [])
    .filter(({ needs, provider }) => needs === undefined && provider !== 'demo')
    .sort((one, other) => Number(other.default) - Number(one.default));
  const model = models.find(({ id }) => id === chosen) ?? models[0];
  const latest = useRef<SuggestTranslationProps['onSuggest']>(undefined);
  useEffect(() => {
    latest.current = onSuggest;
    // An answer that arrives after the language was removed is not used.
    return () => {
      latest.current = undefined;
    };
  });
  const asking = useMutation({
    mutationFn: (id: string) =>
      call(skillTranslationApi.suggest, { body: { model: id, language, ...original } }),
    onSuccess: (texts) => {
      setIsOpen(false);
      // The form may have changed meanwhile.
      latest.current?.(texts);
    },
  });
  if (!original.title && !original.description) {
    return null;
  }
  if (!isOpen) {
    return (
      <Button
        className={classes.remove}
        variant="default"
        size="compact-sm"
        leftSection={<IconLanguage size={15} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {t('skillTranslations.suggest')}
      </Button>
    );
  }
  return (
    <>
      <LoadError queries={[loaded]} />
      {loaded.isPending && <p role="status">{t('state.loading')}</p>}
      {loaded.data && !model && <p>{t('skillTranslations.noModels')}</p>}
      {model && (
        <div className={classes.add}>
          <NativeSelect
            label={t('skillTranslations.model')}
            value={model.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
            data={models.map(({ id, name }) => ({ value: id, label: localize(name) || id }))}
          />
          <Button loading={asking.isPending} onClick={() => asking.mutate(model.id)}>
            {t('skillTranslations.translate')}
          </Button>
        </div>
      )}
      {asking.error && <ErrorNote error={asking.error} />}
    </>
  );
}
