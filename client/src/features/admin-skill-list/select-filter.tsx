import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './skill-filter-bar.module.css';

interface SelectFilterProps<Value extends string>
  extends Pick<SelectProps, 'onSearchChange' | 'renderOption'> {
  label: string;
  value: Value | undefined;
  options: { value: Value; label: string; disabled?: boolean }[];
  onChange: (value: Value | undefined) => void;
}

/** One of several values, or all; searchable if there are many. */
export function SelectFilter<Value extends string>({
  label,
  value,
  options,
  onChange,
  ...search
}: SelectFilterProps<Value>) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={options}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      disabled={options.length === 0}
      searchable={options.length > 12}
      clearable
      clearSectionMode="clear"
      clearButtonProps={{ 'aria-label': t('skillList.clearFilter', { label }) }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', shadow: 'sm' }}
      classNames={{ input: classes.input, dropdown: classes.dropdown }}
      {...search}
    />
  );
}
