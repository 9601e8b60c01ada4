import { type AppAnswers as Answered, appVariablesApi } from '@knowhow/shared/config/app-variables';
import type { App } from '@knowhow/shared/config/apps';
import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface AppAnswersProps {
  app: App;
}

/**
 * The button that opens an app's questions to its user. If a required answer is missing, the form opens
 * automatically.
 */
export function AppAnswers({ app }: AppAnswersProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const [isOpen, setOpen] = useState<boolean>();
  const { data } = useQuery(query(appVariablesApi.get, { params: { appId: app.id } }));
  if (!data) {
    return null;
  }
  const opened = isOpen ?? (data.isIncomplete && data.canKeep);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton
        label={t('appAnswers.open')}
        icon={<IconAdjustmentsHorizontal size={18} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Modal
        opened={opened}
        onClose={close}
        title={t('appAnswers.title', { app: localize(app.name) })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
        centered
      >
        <Asked appId={app.id} answered={data} onDone={close} />
      </Modal>
    </>
  );
}

interface AskedProps {
  appId: string;
  answered: Answered;
  onDone: () => void;
}

function Asked(props: AskedProps) {
  const { t } = useTranslation();
  return props.answered.canKeep ? <AnswersForm {...props} /> : <p>{t('appAnswers.guest')}</p>;
}

interface AnswersFormProps {
  appId: string;
  answered: Answered;
  onDone: () => void;
}

/** A field for each question of an app, with defaults. */
function AnswersForm({ appId, answered, onDone }: AnswersFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [values, setValues] = useState(answered.values);
  const params = { appId };
  const save = useMutation({
    mutationFn: () => call(appVariablesApi.set, { params, body: { values } }),
    onSuccess: (now) => {
      queryClient.setQueryData(query(appVariablesApi.get, { params }).queryKey, now);
      onDone();
    },
  });

  return (
    <DialogForm
      about={t('appAnswers.about')}
      error={save.error}
      isBusy={save.isPending}
      submitLabel={t('appAnswers.save')}
      onSubmit={() => save.mutate()}
      onCancel={onDone}
    >
      {answered.variables.map((variable, index) => (
        <Field
          key={variable.name}
          variable={variable}
          value={values[variable.name] ?? ''}
          isFirst={index === 0}
          onChange={(value) => setValues({ ...values, [variable.name]: value })}
        />
      ))}
    </DialogForm>
  );
}

interface FieldProps {
  variable: Answered['variables'][number];
  value: string;
  isFirst: boolean;
  onChange: (value: string) => void;
}

function Field({ variable, value, isFirst, onChange }: FieldProps) {
  const localize = useLocalize();
  const { type, required, options, maxLength } = variable;
  const preset = localize(variable.defaultValue);
  const shared = {
    label: localize(variable.label),
    description: localize(variable.description) || undefined,
    required: required && preset === '',
    withAsterisk: required && preset === '',
    value,
    'data-autofocus': isFirst || undefined,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (type === 'select') {
    const choices = options.map((option) => localize(option));
    return (
      <NativeSelect
        {...shared}
        data={[
          { value: '', label: preset || '–' },
          ...choices.filter((choice) => choice !== preset),
        ]}
      />
    );
  }
  return type === 'text' ? (
    <LimitedTextarea {...shared} rows={3} maxLength={maxLength} placeholder={preset} />
  ) : (
    <TextInput {...shared} maxLength={maxLength} placeholder={preset} autoComplete="off" />
  );
}
