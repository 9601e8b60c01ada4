import { MultiSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../fields.module.css';
import type { ConfigPath } from '../items/config-path.ts';
import { asTexts } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import { useSkillSearch } from './use-skill-search.ts';
import { useSkillsByName } from './use-skills-by-name.ts';

/** More would freeze the page. */
const mostListed = 500;

/** A list of skills by name; missing ones are marked and kept. */
export function SkillIdsField({ path, label }: { path: ConfigPath; label: string }) {
  const { t } = useTranslation();
  const { value, set, error } = useField(path);
  const [search, setSearch] = useState('');
  const all = [...new Set(asTexts(value))];
  const names = all.slice(0, mostListed);
  const others = all.slice(mostListed);
  const found = useSkillSearch(search).filter(({ name }) => !all.includes(name));
  const picked = useSkillsByName(names);
  return (
    <MultiSelect
      aria-label={label}
      value={names}
      error={error}
      placeholder={names.length === 0 ? t('adminConfig.skills.search') : undefined}
      data={[
        ...found.map(({ name }) => name),
        ...picked.map(({ name, isMissing }) => ({
          value: name,
          label: isMissing ? t('adminConfig.ids.unknown', { id: name }) : name,
        })),
      ]}
      classNames={{ pill: classes.skill }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      hidePickedOptions
      nothingFoundMessage={t('adminConfig.ids.nothing')}
      description={others.length > 0 && t('adminConfig.skills.more', { count: others.length })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={(shown) => set([...shown, ...others])}
    />
  );
}
