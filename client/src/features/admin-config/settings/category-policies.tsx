import { checkLevels, configurableChecks } from '@knowhow/shared/skills/check-settings';
import { categoryKey } from '@knowhow/shared/skills/skill-category';
import { Autocomplete, Button, NativeSelect } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checkLevelTexts, checkTexts } from '../../../ui/checks/check-texts.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useCategories } from '../../../ui/use-categories.ts';
import { FormSection } from '../form-section.tsx';
import { asRecord } from '../items/config-value.ts';
import { useDraft, useField } from '../items/draft-context.ts';
import pageClasses from '../items/item-page.module.css';
import classes from '../list-editor.module.css';
import { valueAt, withValue } from '../with-value.ts';

const path = 'publishing.byCategory';

/** Policies of categories, which can be added, changed and removed. */
export function CategoryPolicies() {
  const { t } = useTranslation();
  const { value, set } = useField(path);
  const policies = asRecord(value);
  const names = Object.keys(policies);
  return (
    <FormSection
      title={t('settings.fields.publishing.byCategory')}
      description={t('settings.fields.publishing.byCategoryAbout')}
      fields={[path]}
    >
      <div className={classes.list}>
        {names.map((name) => (
          <CategoryPolicy
            key={name}
            name={name}
            policy={policies[name]}
            onChange={(policy) => set({ ...policies, [name]: policy })}
            onRemove={() => {
              const { [name]: _, ...others } = policies;
              set(names.length > 1 ? others : undefined);
            }}
          />
        ))}
        <AddCategory
          taken={names}
          // A policy without values would have no effect.
          onAdd={(name) => set({ ...policies, [name]: { mode: 'review' } })}
        />
      </div>
    </FormSection>
  );
}

interface CategoryPolicyProps {
  name: string;
  policy: unknown;
  onChange: (policy: unknown) => void;
  onRemove: () => void;
}

function CategoryPolicy({ name, policy, onChange, onRemove }: CategoryPolicyProps) {
  const { t } = useTranslation();
  const { form } = useDraft();
  const known = useCategories();
  const isUnused = known?.every((each) => categoryKey(each) !== categoryKey(name));
  const field = (...keys: string[]) => ({
    value: valueAt(policy, keys),
    error: form.errors[[path, name, ...keys].join('.')],
    onChange: (value: unknown) => onChange(withValue(policy, keys, value) ?? {}),
  });
  const { onChange: setFourEyes, ...fourEyes } = field('fourEyes');
  return (
    <fieldset className={classes.item}>
      <legend className={classes.legend}>{name}</legend>
      <div className={classes.actions}>
        <IconButton
          label={t('adminConfig.list.remove', { name })}
          icon={<IconTrash size={16} />}
          onClick={onRemove}
        />
      </div>
      {form.errors[`${path}.${name}`] && <p role="alert">{form.errors[`${path}.${name}`]}</p>}
      {isUnused && <p className={pageClasses.about}>{t('settings.categoryUnused')}</p>}
      <div className={pageClasses.pair}>
        <PolicyField
          label={t('settings.fields.publishing.mode')}
          choices={[
            { value: 'direct', label: t('settings.publishingModes.direct') },
            { value: 'review', label: t('settings.publishingModes.review') },
          ]}
          {...field('mode')}
        />
        <PolicyField
          label={t('settings.fields.publishing.fourEyes')}
          choices={[
            { value: 'true', label: t('skillPage.yes') },
            { value: 'false', label: t('skillPage.no') },
          ]}
          {...fourEyes}
          onChange={(chosen) => setFourEyes(chosen === undefined ? undefined : chosen === 'true')}
        />
        {configurableChecks.map((id) => (
          <PolicyField
            key={id}
            label={t(checkTexts[id].name)}
            choices={checkLevels.map((level) => ({
              value: level,
              label: t(checkLevelTexts[level]),
            }))}
            {...field('checks', id)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface PolicyFieldProps {
  label: string;
  choices: { value: string; label: string }[];
  value: unknown;
  error: React.ReactNode;
  /** `undefined`: as in the general policy. */
  onChange: (value: string | undefined) => void;
}

function PolicyField({ label, choices, value, error, onChange }: PolicyFieldProps) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={label}
      value={value === undefined ? '' : String(value)}
      error={error}
      data={[{ value: '', label: t('settings.asGeneral') }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

interface AddCategoryProps {
  taken: readonly string[];
  onAdd: (name: string) => void;
}

function AddCategory({ taken, onAdd }: AddCategoryProps) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState('');
  const keys = new Set(taken.map(categoryKey));
  const free = useCategories()?.filter((each) => !keys.has(categoryKey(each))) ?? [];
  const key = categoryKey(name);
  const isTaken = key !== undefined && keys.has(key);
  return (
    <div className={pageClasses.pair}>
      <Autocomplete
        id={id}
        aria-label={t('settings.newCategory')}
        placeholder={t('settings.newCategory')}
        value={name}
        data={free}
        // It gets the focus back after a category was added.
        openOnFocus={false}
        maxLength={200}
        error={isTaken ? t('settings.categoryTaken') : undefined}
        onChange={setName}
      />
      <Button
        className={classes.add}
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={key === undefined || isTaken}
        onClick={() => {
          onAdd(name.trim());
          setName('');
          document.getElementById(id)?.focus();
        }}
      >
        {t('settings.addCategory')}
      </Button>
    </div>
  );
}
