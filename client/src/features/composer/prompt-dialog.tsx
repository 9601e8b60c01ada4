import { type Prompt, promptsApi } from '@knowhow/shared/chat/prompts';
import { Button, Group, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { fillPrompt } from './fill-prompt.ts';

type Variable = Prompt['variables'][number];

interface PromptDialogProps {
  prompt: Prompt;
  onCancel: () => void;
  /** Called with the prompt's text, its variables filled in. */
  onFilled: (text: string) => void;
}

/** Asks for a prompt's variables; an MCP server renders the text of its own prompts. */
export function PromptDialog({ prompt, onCancel, onFilled }: PromptDialogProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const hasFields = prompt.variables.length > 0;
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(prompt.variables.map((variable) => [variable.name, initialOf(variable)])),
  );

  function initialOf({ type, defaultValue, options, required }: Variable): string {
    const initial = localize(defaultValue);
    return type === 'select' && required ? initial || localize(options[0]) : initial;
  }

  const fill = useMutation({
    mutationFn: () => call(promptsApi.fill, { body: { id: prompt.id, values: omitEmpty(values) } }),
    onSuccess: ({ text }) => onFilled(text),
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (prompt.server === undefined) {
      onFilled(fillPrompt(localize(prompt.prompt), values));
    } else {
      fill.mutate();
    }
  }

  return (
    <Modal
      opened
      onClose={onCancel}
      title={localize(prompt.name)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <form onSubmit={onSubmit}>
        {prompt.server !== undefined && (
          <>
            <p>{revealHiddenCharacters(localize(prompt.description))}</p>
            <p>{t('prompt.from', { server: prompt.server })}</p>
          </>
        )}
        {prompt.variables.map((variable, position) => (
          <VariableField
            key={variable.name}
            variable={variable}
            value={values[variable.name] ?? ''}
            onChange={(value) => setValues({ ...values, [variable.name]: value })}
            isFirst={position === 0}
          />
        ))}
        {fill.error && <ErrorNote error={fill.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={fill.isPending} data-autofocus={!hasFields || undefined}>
            {t('prompt.insert')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** Empty values are omitted. */
function omitEmpty(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

interface VariableFieldProps {
  variable: Variable;
  value: string;
  onChange: (value: string) => void;
  isFirst: boolean;
}

function VariableField({ variable, value, onChange, isFirst }: VariableFieldProps) {
  const localize = useLocalize();
  const { type, required, options } = variable;
  const shared = {
    label: localize(variable.label) || variable.name,
    required,
    value,
    mb: 'md',
    'data-autofocus': isFirst || undefined,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (type === 'select') {
    const choices = options.map((option) => localize(option));
    return <NativeSelect {...shared} data={required ? choices : ['', ...choices]} />;
  }
  return type === 'text' ? (
    <Textarea {...shared} rows={4} />
  ) : (
    <TextInput {...shared} autoComplete="off" />
  );
}
