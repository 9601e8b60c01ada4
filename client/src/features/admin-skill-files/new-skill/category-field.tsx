import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { categories, type NewSkill, ownCategory } from './new-skill.ts';
import classes from './new-skill-form.module.css';

interface CategoryFieldProps {
  skill: NewSkill;
  onChange: (changed: Partial<NewSkill>) => void;
}

/** A predefined or custom category. */
export function CategoryField({ skill, onChange }: CategoryFieldProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.stack}>
      <NativeSelect
        label={t('newSkill.category')}
        value={skill.category}
        onChange={({ currentTarget }) =>
          onChange({ category: currentTarget.value as NewSkill['category'] })
        }
      >
        <option value="">{t('newSkill.noCategory')}</option>
        {categories.map((category) => (
          <option key={category} value={category}>
            {t(categoryNames[category])}
          </option>
        ))}
      </NativeSelect>
      {skill.category === ownCategory && (
        <TextInput
          aria-label={t('newSkill.otherCategory')}
          placeholder={t('newSkill.otherCategory')}
          maxLength={100}
          value={skill.otherCategory}
          onChange={(event) => onChange({ otherCategory: event.currentTarget.value })}
        />
      )}
    </div>
  );
}

const categoryNames = {
  general: 'newSkill.categories.general',
  coding: 'newSkill.categories.coding',
  ops: 'newSkill.categories.ops',
  writing: 'newSkill.categories.writing',
  research: 'newSkill.categories.research',
  design: 'newSkill.categories.design',
  testing: 'newSkill.categories.testing',
  security: 'newSkill.categories.security',
  custom: 'newSkill.categories.custom',
} as const;
