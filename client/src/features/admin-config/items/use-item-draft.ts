import { type ConfigItem, configItemSchema } from '@knowhow/shared/config/admin-config';
import { isRecord } from '@knowhow/shared/is-record';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { usePersistedState } from '../../../ui/use-persisted-state.ts';
import { valueAt } from '../with-value.ts';
import { canonicalConfig, parseConfig, serializeConfig } from './config-text.ts';
import { asText, type Config } from './config-value.ts';

type ItemForm = UseFormReturnType<Config>;

/** The edited item. */
export interface ItemSource {
  /** Storage key of its draft. */
  key: string;
  /** The contents of its file. */
  schema: z.ZodType;
  /** Whether it contains its own ID. */
  hasId: boolean;
}

/** The draft of an item, edited as form or JSON. */
export interface ItemDraft {
  schema: z.ZodType;
  /** The last loaded or saved version. */
  item: ConfigItem;
  /** The whole configuration, including fields that the form does not show. */
  form: ItemForm;
  /** The configuration as JSON, while it is edited as text. */
  text: string | undefined;
  isDirty: boolean;
  /** Whether the changes were restored from an earlier visit. */
  isBack: boolean;
  setText: (text: string) => void;
  /** Switches between form and JSON, if the text is a JSON object. */
  toggleText: () => void;
  /** The current configuration; undefined, with errors shown, if it cannot be saved. */
  check: () => Config | undefined;
  /** Discards all changes and starts from this version. */
  load: (item: ConfigItem) => void;
  /** Does not restore the changes when the page is opened again. */
  forget: () => void;
}

export function useItemDraft({ key, schema, hasId }: ItemSource, initial: ConfigItem): ItemDraft {
  const { t } = useTranslation();
  const errorsOf = (config: Config) => ({
    ...configErrors(schema, config, t),
    ...(hasId ? getIdError(config, initial.id, t) : {}),
  });
  const { first, keep, forget, wasKept } = usePersistedDraft(key, initial);
  const [isBack, setBack] = useState(wasKept);
  const [item, setItem] = useState(first.item);
  const [text, setText] = useState(first.text);
  const form = useForm<Config>({
    initialValues: first.config,
    initialErrors: first.item.config && {
      ...(wasKept ? {} : getFileErrors(first.item, t)),
      ...errorsOf(first.config),
    },
  });
  const config = form.values;
  const isDirty = canonicalConfig(text ?? config) !== canonicalConfig(item.config ?? item.text);

  useEffect(
    () => keep(isDirty ? { item, config, text } : undefined),
    [isDirty, item, config, text, keep],
  );

  /** The configuration with all errors, which are also shown. */
  function judge() {
    const config = text === undefined ? form.getValues() : parseConfig(text);
    if (!isRecord(config)) {
      form.setErrors({ '': t('adminConfig.json.noObject') });
      return;
    }
    const errors = errorsOf(config);
    replaceValues(form, config);
    form.setErrors(errors);
    return { config, isGood: Object.keys(errors).length === 0 };
  }

  return {
    schema,
    item,
    form,
    text,
    isDirty,
    isBack,
    setText,
    toggleText: () => {
      const judged = judge();
      if (judged) {
        setText(text === undefined ? serializeConfig(judged.config) : undefined);
      }
    },
    check: () => {
      const judged = judge();
      return judged?.isGood ? judged.config : undefined;
    },
    forget,
    load: (next) => {
      setBack(false);
      setItem(next);
      setText(text !== undefined && next.config ? serializeConfig(next.config) : textOf(next));
      replaceValues(form, next.config ?? {});
    },
  };
}

function getIdError(config: Config, id: string, t: TFunction): Record<string, string> {
  return config.id === id ? {} : { id: t('adminConfig.invalid.id', { id }) };
}

/** Errors that only the server can detect, shown at their fields. */
function getFileErrors({ fault }: ConfigItem, t: TFunction): Record<string, string> {
  return fault?.field === undefined
    ? {}
    : { [fault.field]: t('adminConfig.invalid.other', { message: fault.message }) };
}

/** `setValues` would keep fields that the new values do not have. */
function replaceValues(form: ItemForm, values: Config): void {
  form.setInitialValues(values);
  form.reset();
}

/** Validation errors of a configuration by path, in the reader's language. */
function configErrors(schema: z.ZodType, config: Config, t: TFunction): Record<string, string> {
  const issues = schema.safeParse(config).error?.issues ?? [];
  return Object.fromEntries(
    issues
      .map((issue) => ({ issue, path: issue.path.map(String) }))
      .filter(({ path }) => !hasPlaceholder(valueAt(config, path)))
      .map(({ issue, path }) => [path.join('.'), getIssueText(issue, valueAt(config, path), t)]),
  );
}

/** Only the server can resolve `${NAME}`. */
function hasPlaceholder(value: unknown): boolean {
  return asText(value)?.includes('${') ?? false;
}

function getIssueText(issue: z.core.$ZodIssue, value: unknown, t: TFunction): string {
  if (value === undefined || value === '') {
    return t('adminConfig.invalid.missing');
  }
  switch (issue.code) {
    case 'too_small':
      return t('adminConfig.invalid.least', {
        limit: Number(issue.minimum) + (issue.inclusive ? 0 : 1),
      });
    case 'too_big':
      return t('adminConfig.invalid.most', { limit: Number(issue.maximum) });
    case 'invalid_format':
      return issue.format === 'regex'
        ? t('adminConfig.invalid.signs')
        : t('adminConfig.invalid.address');
    case 'invalid_union': {
      const format = issue.errors.flat().find(({ code }) => code === 'invalid_format');
      return format ? getIssueText(format, value, t) : t('adminConfig.invalid.shape');
    }
    default:
      return t('adminConfig.invalid.other', { message: issue.message });
  }
}

const keptSchema = z
  .object({
    /** The server version that the changes are based on. */
    item: configItemSchema,
    config: z.record(z.string(), z.unknown()),
    text: z.string().optional(),
  })
  .optional();

/** Unsaved changes of an item: they survive a reload and an expired session. */
function usePersistedDraft(key: string, initial: ConfigItem) {
  const { value, setValue, forget, wasKept } = usePersistedState(
    `config:${key}:${initial.id}`,
    keptSchema,
    undefined,
  );
  const first = value ?? { item: initial, config: initial.config ?? {}, text: textOf(initial) };
  return { first, keep: setValue, forget, wasKept };
}

/** Invalid JSON can only be edited as text. */
function textOf({ config, text }: ConfigItem): string | undefined {
  return config ? undefined : text;
}
