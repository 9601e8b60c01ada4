import { declarationOf } from '@knowhow/shared/config/schema-fields';
import { TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ChoiceField } from '../choice-field.tsx';
import { type IdChoice, IdsField } from '../ids-field.tsx';
import type { ConfigPath, SettingPath } from '../items/config-path.ts';
import { asTexts } from '../items/config-value.ts';
import { useDraft, useField } from '../items/draft-context.ts';
import { NumberField } from '../number-field.tsx';
import { SwitchField } from '../switch-field.tsx';
import { TextField } from '../text-field.tsx';
import { useEnvironment } from './settings-context.ts';

interface SettingFieldProps {
  path: SettingPath;
  /** The options of a text or a list; undefined until loaded. */
  choices?: IdChoice[] | undefined;
  /** Label for no choice. */
  nothing?: string;
}

/** The field of a setting, as its schema declares it, with the texts at `settings.fields.<path>`. */
export function SettingField({ path, nothing, ...rest }: SettingFieldProps) {
  const { schema } = declarationOf(useDraft().schema, path);
  const texts = useSettingTexts(path);
  const isOn = useEnvironment(path)?.value === 'true';
  if (schema instanceof z.ZodBoolean) {
    return <SwitchField {...texts} path={path} {...(isOn && { fallback: true })} />;
  }
  if (schema instanceof z.ZodNumber) {
    return <SettingNumber path={path} />;
  }
  if (schema instanceof z.ZodArray) {
    return 'choices' in rest ? (
      <IdsField {...texts} path={path} choices={rest.choices} />
    ) : (
      <WordsField {...texts} path={path} />
    );
  }
  const options =
    schema instanceof z.ZodEnum
      ? schema.options.map((id) => ({ value: String(id), label: String(id) }))
      : (rest.choices ?? []);
  return nothing === undefined ? (
    <TextField {...texts} path={path} isCode />
  ) : (
    <ChoiceField {...texts} path={path} choices={options} nothing={nothing} />
  );
}

/** A number with its default, built-in or from the environment. */
function SettingNumber({ path }: { path: SettingPath }) {
  const { t } = useTranslation();
  const { description, ...texts } = useSettingTexts(path);
  const said = useEnvironment(path);
  const instead = said && t('settings.instead', { variable: said.variable });
  const words = [description, instead].filter(Boolean).join(' ');
  return (
    <NumberField
      {...texts}
      path={path}
      {...(said && { placeholder: said.value })}
      {...(words && { description: words })}
    />
  );
}

interface WordsFieldProps {
  path: ConfigPath;
  label: string;
  description?: string;
}

/** A list of typed values; errors are shown below the list. */
function WordsField({ path, ...rest }: WordsFieldProps) {
  const { form } = useDraft();
  const { value, set } = useField(path);
  const found = Object.entries(form.errors).find(
    ([name]) => name === path || name.startsWith(`${path}.`),
  );
  return (
    <TagsInput
      {...rest}
      value={asTexts(value)}
      error={found?.[1]}
      onChange={(next) => set(next.length > 0 ? next : undefined)}
    />
  );
}

interface SettingTexts {
  label: string;
  description?: string;
}

/** Label and help of a setting: `settings.fields.<path>` and `settings.fields.<path>About`. */
function useSettingTexts(path: SettingPath): SettingTexts {
  const { t, i18n } = useTranslation();
  // The keys follow from the schema; a test names those without a text.
  const translate = t as (key: string) => string;
  const key = `settings.fields.${path}`;
  const about = `${key}About`;
  return {
    label: translate(key),
    ...(i18n.exists(about) ? { description: translate(about) } : {}),
  };
}
