import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ConfigPath } from './items/config-path.ts';
import { asTexts } from './items/config-value.ts';
import { useField } from './items/draft-context.ts';

export interface IdChoice {
  value: string;
  label: string;
  disabled?: boolean;
}

interface IdsFieldProps {
  path: ConfigPath;
  label?: string;
  /** If another element already labels it. */
  'aria-label'?: string;
  description?: string;
  placeholder?: string;
  /** Undefined until loaded. */
  choices: IdChoice[] | undefined;
}

/** A list of IDs by name; missing ones are marked and kept. */
export function IdsField({ path, choices, placeholder, ...rest }: IdsFieldProps) {
  const { t } = useTranslation();
  const { value, set, error } = useField(path);
  const ids = [...new Set(asTexts(value))];
  const others = ids.filter((id) => !choices?.some((choice) => choice.value === id));
  return (
    <MultiSelect
      {...rest}
      value={ids}
      error={error}
      placeholder={ids.length === 0 ? placeholder : undefined}
      data={[
        ...(choices ?? []),
        ...others.map((id) => ({
          value: id,
          label: choices ? t('adminConfig.ids.unknown', { id }) : id,
        })),
      ]}
      searchable
      hidePickedOptions
      nothingFoundMessage={t('adminConfig.ids.nothing')}
      onChange={set}
    />
  );
}
