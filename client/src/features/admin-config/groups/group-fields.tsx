import {
  adminRights,
  everyRight,
  type SkillRight,
  skillRights,
} from '@knowhow/shared/access/admin-rights';
import {
  type PersonalSkillLevel,
  personalSkillLevels,
} from '@knowhow/shared/skills/personal-skills';
import { Checkbox, MultiSelect, NativeSelect, Switch, TagsInput, Textarea } from '@mantine/core';
import { use, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RightsContext } from '../../../ui/rights.ts';
import { rightNames, skillRightNames } from '../../../ui/text/use-right-name.ts';
import { useCategories } from '../../../ui/use-categories.ts';
import classes from '../admin-access-field.module.css';
import { ToolIdsField } from '../apps/tool-ids-field.tsx';
import { useAllSkillNames } from '../apps/use-all-skill-names.ts';
import { useSkillSearch } from '../apps/use-skill-search.ts';
import { useSkillsByName } from '../apps/use-skills-by-name.ts';
import fieldsClasses from '../fields.module.css';
import { FormSection } from '../form-section.tsx';
import { IdsField } from '../ids-field.tsx';
import type { ConfigPath } from '../items/config-path.ts';
import { asText, asTexts } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import { TextField } from '../text-field.tsx';
import { useChoices } from '../use-choices.ts';
import { GrantField } from './grant-field.tsx';
import { GroupInherits } from './group-inherits.tsx';
import { QuotaFields } from './quota-fields.tsx';

/** All fields of a group. */
export function GroupFields() {
  const { t } = useTranslation();
  const description = useField('description');
  const mappings = useField('mappings');
  return (
    <>
      <FormSection
        title={t('adminConfig.group.basics')}
        holds={{ name: 'text' }}
        fields={['description', 'mappings']}
      >
        <TextField path="name" label={t('adminConfig.name')} />
        <Textarea
          label={t('adminConfig.description')}
          value={asText(description.value) ?? ''}
          error={description.error}
          onChange={(event) => description.set(event.currentTarget.value || undefined)}
          autosize
          minRows={2}
        />
        <TagsInput
          label={t('adminConfig.group.mappings')}
          description={t('adminConfig.group.mappingsAbout')}
          value={asTexts(mappings.value)}
          error={mappings.error}
          onChange={(names) => mappings.set(names.length > 0 ? names : undefined)}
        />
      </FormSection>
      <FormSection
        title={t('adminConfig.group.grants')}
        description={t('adminConfig.group.grantsAbout')}
        holds={granted}
        fields={['permissions']}
      >
        <Grants />
        <PersonalSkillsField />
        <AdminAccessField />
        <SkillRightsFields />
      </FormSection>
      <GroupInherits />
      <FormSection
        title={t('adminConfig.quota.title')}
        description={t('adminConfig.quota.about')}
        fields={['quotas']}
      >
        <QuotaFields
          path="quotas.each"
          label={t('adminConfig.quota.each')}
          description={t('adminConfig.quota.eachAbout')}
        />
        <QuotaFields
          path="quotas.together"
          label={t('adminConfig.quota.together')}
          description={t('adminConfig.quota.togetherAbout')}
        />
      </FormSection>
    </>
  );
}

const granted = {
  'permissions.apps': 'apps',
  'permissions.skills': 'skills',
  'permissions.skillCategories': 'categories',
  'permissions.tools': 'tools',
  'permissions.models': 'models',
  'permissions.prompts': 'prompts',
  'permissions.personalSkills': 'personal-skills',
  'permissions.adminAccess': 'admin-rights',
  'permissions.skillRights': 'skill-rights',
} as const;

function Grants() {
  const { t } = useTranslation();
  const apps = useChoices('apps');
  const models = useChoices('models');
  const prompts = useChoices('prompts');
  const pick = t('adminConfig.group.pickNone');
  return (
    <>
      <GrantField path="permissions.apps" allLabel={t('adminConfig.group.allApps')}>
        <IdsField
          path="permissions.apps"
          aria-label={t('adminPages.apps')}
          placeholder={pick}
          choices={apps}
        />
      </GrantField>
      <GrantField
        path="permissions.skills"
        allLabel={t('adminConfig.group.allSkills')}
        readAll={useAllSkillNames()}
      >
        <SkillIdsField path="permissions.skills" label={t('adminConfig.skills.title')} />
        <SkillCategoriesField />
      </GrantField>
      <GrantField
        path="permissions.tools"
        allLabel={t('adminConfig.group.allTools')}
        description={t('adminConfig.group.toolsAbout')}
      >
        <ToolIdsField path="permissions.tools" />
      </GrantField>
      <GrantField path="permissions.models" allLabel={t('adminConfig.group.allModels')}>
        <IdsField
          path="permissions.models"
          aria-label={t('adminPages.models')}
          placeholder={pick}
          choices={models}
        />
      </GrantField>
      <GrantField path="permissions.prompts" allLabel={t('adminConfig.group.allPrompts')}>
        <IdsField
          path="permissions.prompts"
          aria-label={t('adminPages.prompts')}
          placeholder={pick}
          choices={prompts}
        />
      </GrantField>
    </>
  );
}

/** Categories whose skills are granted, by name: categories without a skill are allowed. */
function SkillCategoriesField() {
  const { t } = useTranslation();
  const { value, set, error } = useField('permissions.skillCategories');
  return (
    <TagsInput
      label={t('adminConfig.group.skillCategories')}
      description={t('adminConfig.group.skillCategoriesAbout')}
      value={asTexts(value)}
      error={error}
      data={useCategories() ?? []}
      onChange={(names) => set(names.length > 0 ? names : undefined)}
    />
  );
}

/** The permission of members to have skills of their own. */
function PersonalSkillsField() {
  const { t } = useTranslation();
  const { value, set, error } = useField('permissions.personalSkills');
  return (
    <NativeSelect
      label={t('adminConfig.group.personal.title')}
      description={t('adminConfig.group.personal.about')}
      value={asText(value) ?? 'none'}
      error={error}
      data={personalSkillLevels.map((level) => ({ value: level, label: t(levelTexts[level]) }))}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

const levelTexts = {
  none: 'adminConfig.group.personal.none',
  private: 'adminConfig.group.personal.private',
  share: 'adminConfig.group.personal.share',
  propose: 'adminConfig.group.personal.propose',
} as const satisfies Record<PersonalSkillLevel, string>;

/** Admin permissions of members: all, or selected ones. Users cannot grant permissions that they lack. */
function AdminAccessField() {
  const { t } = useTranslation();
  const { value, set, error } = useField('permissions.adminAccess');
  const own = use(RightsContext);
  const hasAll = own.includes(everyRight);
  const picked = asTexts(value);
  const isAll = value === true || picked.includes(everyRight);
  return (
    <div className={classes.admin} data-on={isAll || undefined}>
      <Switch
        label={t('adminConfig.group.adminAccess')}
        description={t('adminConfig.group.adminAccessAbout')}
        checked={isAll}
        disabled={!hasAll}
        error={error}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {!isAll && (
        <Checkbox.Group
          label={t('adminConfig.group.someRights')}
          description={t('adminConfig.group.someRightsAbout')}
          value={picked}
          onChange={(rights) => set(rights.length > 0 ? rights : false)}
        >
          <div className={classes.rights}>
            {adminRights.map((right) => (
              <Checkbox
                key={right}
                value={right}
                label={t(rightNames[right])}
                disabled={!hasAll && !own.includes(right)}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </div>
  );
}

/** Rights on the skills of some categories, for groups that do not administer all skills. */
function SkillRightsFields() {
  const { t } = useTranslation();
  const categories = useCategories() ?? [];
  return (
    <fieldset className={classes.skillRights}>
      <legend>{t('adminConfig.skillRight.title')}</legend>
      <p>{t('adminConfig.skillRight.about')}</p>
      {skillRights.map((right) => (
        <SkillRightField key={right} right={right} categories={categories} />
      ))}
    </fieldset>
  );
}

function SkillRightField({ right, categories }: { right: SkillRight; categories: string[] }) {
  const { t } = useTranslation();
  const { value, set, error } = useField(`permissions.skillRights.${right}`);
  return (
    <TagsInput
      label={t(skillRightNames[right])}
      description={t(skillRightTexts[right])}
      placeholder={t('adminConfig.skillRight.placeholder')}
      value={asTexts(value)}
      error={error}
      data={categories}
      onChange={(names) => set(names.length > 0 ? names : undefined)}
    />
  );
}

const skillRightTexts = {
  author: 'adminConfig.skillRight.authorAbout',
  publish: 'adminConfig.skillRight.publishAbout',
  block: 'adminConfig.skillRight.blockAbout',
} as const satisfies Record<SkillRight, string>;

/** More would freeze the page. */
const mostListed = 500;

/** A list of skills by name; missing ones are marked and kept. */
function SkillIdsField({ path, label }: { path: ConfigPath; label: string }) {
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
      classNames={{ pill: fieldsClasses.skill }}
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
