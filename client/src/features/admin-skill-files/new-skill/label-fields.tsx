import { categoryKey } from '@knowhow/shared/skills/skill-category';
import { maxTags } from '@knowhow/shared/skills/skill-tags';
import { NativeSelect, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSkillScope } from '../../../ui/rights.ts';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { useCategories } from '../../../ui/use-categories.ts';
import { categories, type NewSkill, ownCategory, validateTags } from './new-skill.ts';
import classes from './new-skill-form.module.css';

interface LabelFieldsProps {
  skill: NewSkill;
  /** The server's error on the tags. */
  error: string | undefined;
  onChange: (changed: Partial<NewSkill>) => void;
}

/** Category, tags, version, requirements and license: all optional. */
export function LabelFields({ skill, error, onChange }: LabelFieldsProps) {
  const { t } = useTranslation();
  const licenses = useId();
  const fault = validateTags(skill);
  const faultText =
    fault === 'too-many'
      ? t('newSkill.tagsTooMany', { most: maxTags })
      : fault && t('newSkill.tagInvalid', { tag: revealHiddenCharacters(fault.odd) });
  return (
    <div className={classes.row}>
      <CategoryField skill={skill} onChange={onChange} />
      <TextInput
        label={t('newSkill.tags')}
        name="tags"
        placeholder={t('newSkill.tagsExample')}
        maxLength={500}
        autoCapitalize="off"
        value={skill.tags}
        onChange={(event) => onChange({ tags: event.currentTarget.value })}
        error={faultText ?? error}
      />
      <TextInput
        label={t('newSkill.version')}
        placeholder="1.0"
        maxLength={100}
        value={skill.version}
        onChange={(event) => onChange({ version: event.currentTarget.value })}
      />
      <TextInput
        label={t('newSkill.requiresTools')}
        placeholder={t('newSkill.toolsExample')}
        maxLength={500}
        autoCapitalize="off"
        spellCheck={false}
        value={skill.requiresTools}
        onChange={(event) => onChange({ requiresTools: event.currentTarget.value })}
      />
      <TextInput
        label={t('newSkill.license')}
        maxLength={200}
        list={licenses}
        value={skill.license}
        onChange={(event) => onChange({ license: event.currentTarget.value })}
      />
      <TextInput
        label={t('newSkill.compatibility')}
        placeholder={t('newSkill.compatibilityExample')}
        maxLength={500}
        value={skill.compatibility}
        onChange={(event) => onChange({ compatibility: event.currentTarget.value })}
      />
      <datalist id={licenses}>
        {usualLicenses.map((license) => (
          <option key={license} value={license} />
        ))}
      </datalist>
    </div>
  );
}

const usualLicenses = ['Apache-2.0', 'MIT', 'CC-BY-4.0', 'Proprietary'];

interface CategoryFieldProps {
  skill: NewSkill;
  onChange: (changed: Partial<NewSkill>) => void;
}

/** A predefined or custom category; one of the user's own, if they write the skills of some only. */
function CategoryField({ skill, onChange }: CategoryFieldProps) {
  const { t } = useTranslation();
  const scope = useSkillScope('author');
  if (scope !== 'all') {
    return <GivenCategoryField scope={scope} skill={skill} onChange={onChange} />;
  }
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

/** The categories whose skills the user may write, in the spelling of existing skills. */
function GivenCategoryField({
  scope,
  skill,
  onChange,
}: CategoryFieldProps & { scope: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const known = new Map((useCategories() ?? []).map((name) => [categoryKey(name), name]));
  return (
    <NativeSelect
      label={t('newSkill.category')}
      required
      withAsterisk={false}
      value={skill.category === ownCategory ? skill.otherCategory : ''}
      onChange={({ currentTarget: { value } }) =>
        onChange({ category: value === '' ? '' : ownCategory, otherCategory: value })
      }
    >
      <option value="">{t('newSkill.noCategory')}</option>
      {[...scope].map((key) => {
        const name = known.get(key) ?? key;
        return (
          <option key={key} value={name}>
            {name}
          </option>
        );
      })}
    </NativeSelect>
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
