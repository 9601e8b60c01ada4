import { type AdminTool, adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { isRecord } from '@knowhow/shared/is-record';
import { Button, Switch, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { focusFirstError, QuestionFields } from '../../ui/question-fields.tsx';
import { type FormError, type FormValues, initialFormValues } from '../../ui/question-values.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { parseFormInput, parseJson, type SchemaEntry, schemaToForm } from './schema-form.ts';
import classes from './tool-page.module.css';

/** Calls a tool with test arguments: from a form, or as JSON. */
export function TryTool({ tool }: { tool: AdminTool }) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const form = useMemo(() => schemaToForm(tool.parameters), [tool.parameters]);
  const [entries, setEntries] = useState(() =>
    initialFormValues((form ?? []).map(({ field }) => field)),
  );
  const [json, setJson] = useState('{}');
  const [isJson, setIsJson] = useState(form === undefined);
  const [isTried, setTried] = useState(false);
  const parsed = parseJson(json)?.value;
  const filled = parseFormInput(form ?? [], entries);
  const trial = useMutation({
    mutationFn: (input: Record<string, unknown>) =>
      call(adminToolsApi.tryOut, { params: { name: tool.name }, body: { input } }),
  });

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    const input = isJson ? parsed : filled.input;
    if (isRecord(input) && (isJson || Object.keys(filled.faults).length === 0)) {
      trial.mutate(input);
    } else {
      focusFirstError(event.currentTarget);
    }
  }

  return (
    <form className={classes.trial} onSubmit={onSubmit} noValidate>
      {form && form.length > 0 && (
        <Switch
          label={t('adminTools.asJson')}
          checked={isJson}
          onChange={(event) => {
            setIsJson(event.currentTarget.checked);
            setJson(JSON.stringify(filled.input, null, 2));
          }}
        />
      )}
      {isJson ? (
        <Textarea
          label={t('adminTools.arguments')}
          classNames={{ input: classes.code ?? '' }}
          rows={8}
          spellCheck={false}
          value={json}
          error={isTried && !isRecord(parsed) && t('adminTools.notObject')}
          onChange={(event) => setJson(event.currentTarget.value)}
        />
      ) : (
        <SchemaFields
          form={form ?? []}
          entries={entries}
          faults={isTried ? filled.faults : {}}
          onChange={setEntries}
        />
      )}
      {tool.hints.destructive && !tool.hints.readOnly && (
        <p className={tool.hints.isAssumed ? classes.quiet : classes.careful}>
          {t('adminTools.careful')}
        </p>
      )}
      <Button type="submit" variant="default" loading={trial.isPending}>
        {t('adminTools.run')}
      </Button>
      {trial.error && <ErrorNote error={trial.error} />}
      {trial.data && !trial.isPending && (
        <div role="status" className={classes.outcome}>
          <p data-failed={trial.data.isError || undefined}>
            {t(trial.data.isError ? 'adminTools.didFail' : 'adminTools.didWork', {
              time: duration(trial.data.ms),
            })}
          </p>
          <TextBlock label={t('adminTools.result')} text={trial.data.content} />
        </div>
      )}
    </form>
  );
}

interface SchemaFieldsProps {
  form: readonly SchemaEntry[];
  entries: FormValues;
  faults: Record<string, FormError | 'json'>;
  onChange: (entries: FormValues) => void;
}

/** The properties of a schema as fields, with JSON inputs for unsupported types. */
function SchemaFields({ form, entries, faults, onChange }: SchemaFieldsProps) {
  const { t } = useTranslation();
  if (form.length === 0) {
    return <p className={classes.quiet}>{t('adminTools.noArguments')}</p>;
  }
  return form.map(({ field, isJson }) => {
    const { name, label, description, required } = field;
    const fault = faults[name];
    const entry = entries[name];
    if (!isJson) {
      return (
        <QuestionFields
          key={name}
          fields={[field]}
          entries={entries}
          faults={fault && fault !== 'json' ? { [name]: fault } : {}}
          onChange={onChange}
        />
      );
    }
    return (
      <div key={name} data-fault={fault}>
        <Textarea
          label={t('adminTools.jsonOf', { name: label })}
          description={description}
          withAsterisk={required}
          classNames={{ input: classes.code ?? '' }}
          rows={3}
          spellCheck={false}
          value={typeof entry === 'string' ? entry : ''}
          error={fault && t(fault === 'json' ? 'adminTools.notJson' : 'adminTools.needed')}
          onChange={(event) => onChange({ ...entries, [name]: event.currentTarget.value })}
        />
      </div>
    );
  });
}
