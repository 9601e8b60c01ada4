import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { textsOf } from './items/config-value.ts';
import { useField } from './items/draft-context.ts';

export interface IdChoice {
  value: string;
  label: string;
  disabled?: boolean;
}

interface IdsFieldProps {
  path: string;
  label?: string;
  /** Where something else beside it says what it is. */
  'aria-label'?: string;
  description?: string;
  placeholder?: string;
  /** Undefined as long as they are not known. */
  choices: IdChoice[] | undefined;
}

/** A list of ids, by name; those of nothing that is there are marked, and kept. */
export function IdsField({ path, choices, placeholder, ...rest }: IdsFieldProps) {
  const { t } = useTranslation();
  const { value, set, error } = useField(path);
  const ids = [...new Set(textsOf(value))];
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
