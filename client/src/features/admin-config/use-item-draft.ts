import type { ConfigItem, ConfigKind } from '@knowhow/shared/admin-config';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { configErrors } from './config-errors.ts';
import { configSchemas } from './config-kind.ts';
import { type Config, isRecord } from './config-value.ts';

type ItemForm = UseFormReturnType<Config>;

/** An item while it is edited, by its fields or as text. */
export interface ItemDraft {
  kind: ConfigKind;
  /** As it was read or saved last. */
  item: ConfigItem;
  /** Holds the whole configuration, also what no field shows. */
  form: ItemForm;
  /** The configuration as JSON, while that is what is edited. */
  text: string | undefined;
  isDirty: boolean;
  setText: (text: string) => void;
  /** Goes from the fields to the text or back, if the text is a JSON object. */
  toggleText: () => void;
  /** The configuration as it is now; undefined, with the reasons shown, when it cannot be saved. */
  check: () => Config | undefined;
  /** Forgets what was changed and begins with this state. */
  load: (item: ConfigItem) => void;
}

export function useItemDraft(kind: ConfigKind, initial: ConfigItem): ItemDraft {
  const { t } = useTranslation();
  const errorsOf = (config: Config) => ({
    ...configErrors(configSchemas[kind], config, t),
    ...(config.id === initial.id ? {} : { id: t('adminConfig.invalid.id', { id: initial.id }) }),
  });
  const [item, setItem] = useState(initial);
  const [text, setText] = useState(textAtFirst(initial));
  const form = useForm<Config>({
    initialValues: initial.config ?? {},
    initialErrors: initial.config && errorsOf(initial.config),
  });

  /** The configuration with all that is wrong with it, which is also shown. */
  function judge() {
    const config = text === undefined ? form.getValues() : parse(text);
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
    kind,
    item,
    form,
    text,
    isDirty: serialised(text ?? form.values) !== serialised(item.config ?? item.text),
    setText,
    toggleText: () => {
      const judged = judge();
      if (judged) {
        setText(text === undefined ? written(judged.config) : undefined);
      }
    },
    check: () => {
      const judged = judge();
      return judged?.isGood ? judged.config : undefined;
    },
    load: (next) => {
      setItem(next);
      setText(text !== undefined && next.config ? written(next.config) : textAtFirst(next));
      replaceValues(form, next.config ?? {});
    },
  };
}

/** What is no JSON object can only be edited as text. */
function textAtFirst({ config, text }: ConfigItem): string | undefined {
  return config ? undefined : text;
}

/** `setValues` would leave fields standing that the new values do not have. */
function replaceValues(form: ItemForm, values: Config): void {
  form.setInitialValues(values);
  form.reset();
}

function written(config: Config): string {
  return JSON.stringify(config, null, 2);
}

/** Says the same for a configuration and for a text of it, however that is indented. */
function serialised(value: Config | string): string {
  const content = typeof value === 'string' ? (parse(value) ?? value) : value;
  return JSON.stringify(content);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
