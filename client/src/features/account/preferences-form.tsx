import {
  answerLanguages,
  maxInstructions,
  type Preferences,
  preferencesApi,
} from '@knowhow/shared/access/preferences';
import { Button, NativeSelect, Textarea } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './preferences-form.module.css';

interface PreferencesFormProps {
  stored: Preferences;
  onDirty: (isDirty: boolean) => void;
  onSaved: () => void;
}

/** The two texts, whether they are sent, and the answer language. */
export function PreferencesForm({ stored, onDirty, onSaved }: PreferencesFormProps) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState(stored);
  const save = useMutation({
    mutationFn: () => call(preferencesApi.set, { body: wanted }),
    onSuccess: (saved) => {
      queryClient.setQueryData(query(preferencesApi.get, {}).queryKey, saved);
      notifications.show({
        message: t('preferences.saved'),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      onSaved();
    },
  });

  function change(part: Partial<Preferences>) {
    const next = { ...wanted, ...part };
    setWanted(next);
    onDirty(JSON.stringify(next) !== JSON.stringify(stored));
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    save.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className={classes.about}>{t('preferences.intro')}</p>
      {save.error && <ErrorNote error={save.error} />}
      <Field name="about" wanted={wanted} onChange={change} />
      <Field name="style" wanted={wanted} onChange={change} />
      <div className={classes.switch}>
        <SwitchRow
          label={t('preferences.isOn')}
          text={t('preferences.isOnAbout')}
          checked={wanted.isOn}
          onChange={(isOn) => change({ isOn })}
        />
      </div>
      <NativeSelect
        label={t('preferences.language')}
        description={t('preferences.languageAbout')}
        value={wanted.language ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ language: answerLanguages.find((tag) => tag === value) ?? null })
        }
        data={[
          { value: '', label: t('preferences.automatic') },
          ...listLanguageNames(i18n.language),
        ]}
      />
      <div className={classes.actions}>
        <Button type="submit" loading={save.isPending}>
          {t('preferences.save')}
        </Button>
      </div>
    </form>
  );
}

interface FieldProps {
  name: 'about' | 'style';
  wanted: Preferences;
  onChange: (part: Partial<Preferences>) => void;
}

function Field({ name, wanted, onChange }: FieldProps) {
  const { t } = useTranslation();
  const value = wanted[name];
  return (
    <Textarea
      label={t(texts[name].label)}
      description={t(texts[name].hint)}
      error={value.length > maxInstructions && t('preferences.tooLong', { max: maxInstructions })}
      rows={4}
      value={value}
      data-autofocus={name === 'about' || undefined}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      rightSection={
        <span className={classes.count} aria-hidden>
          {value.length} / {maxInstructions}
        </span>
      }
    />
  );
}

const texts = {
  about: { label: 'preferences.about', hint: 'preferences.aboutHint' },
  style: { label: 'preferences.style', hint: 'preferences.styleHint' },
} as const;

/** Languages by their localized names, sorted. */
function listLanguageNames(language: string) {
  const names = new Intl.DisplayNames([language], { type: 'language' });
  return answerLanguages
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
}
