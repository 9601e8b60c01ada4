import {
  answerLanguages,
  maxInstructions,
  type Preferences,
  preferencesApi,
} from '@knowhow/shared/access/preferences';
import { Button, Modal, NativeSelect, Skeleton, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import '@mantine/core/styles/Switch.layer.css';
import { notifications } from '@mantine/notifications';
import { call } from '../../api/call.ts';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import classes from './preferences-dialog.module.css';

const preferencesQuery = query(preferencesApi.get, {});

/** Custom instructions: background, answer style and answer language. */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [isDirty, setDirty] = useState(false);
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Modal
        opened
        onClose={() => (isDirty ? setAsks(true) : onClose())}
        title={t('account.preferences')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
        size="lg"
        centered
      >
        <Loaded onDirty={setDirty} onSaved={onClose} />
      </Modal>
      <ConfirmDialog
        title={t('preferences.leaveTitle')}
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={onClose}
        confirmLabel={t('preferences.leave')}
      >
        <p>{t('preferences.leaveAbout')}</p>
      </ConfirmDialog>
    </>
  );
}

interface LoadedProps {
  onDirty: (isDirty: boolean) => void;
  onSaved: () => void;
}

function Loaded(props: LoadedProps) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery({ ...preferencesQuery, staleTime: 0 });
  const [first, setFirst] = useState<Preferences>();
  if (data && !isFetching && !first) {
    setFirst(data);
  }
  if (error && !first) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  return first ? (
    <PreferencesForm stored={first} {...props} />
  ) : (
    <div role="status" aria-label={t('state.loading')}>
      <Skeleton height={110} />
      <Skeleton height={110} mt={16} />
    </div>
  );
}

interface PreferencesFormProps {
  stored: Preferences;
  onDirty: (isDirty: boolean) => void;
  onSaved: () => void;
}

/** The two texts, whether they are sent, and the answer language. */
function PreferencesForm({ stored, onDirty, onSaved }: PreferencesFormProps) {
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
