import { useTranslation } from 'react-i18next';
import { useRightName } from '../../../ui/text/use-right-name.ts';
import { FormSection } from '../form-section.tsx';
import { IdsField } from '../ids-field.tsx';
import { asTexts } from '../items/config-value.ts';
import { useDraft, useField } from '../items/draft-context.ts';
import { useChoices } from '../use-choices.ts';
import classes from './group-fields.module.css';
import {
  findInheritanceCycle,
  type GrantKind,
  grantKinds,
  inheritedGrants,
  inheritedRights,
} from './inheritance.ts';
import { useGroups } from './use-groups.ts';

/** The groups that a group inherits from, and what it inherits. */
export function GroupInherits() {
  const { t } = useTranslation();
  const { item } = useDraft();
  const groups = useGroups();
  const parents = asTexts(useField('inherits').value);
  const rights = inheritedRights(parents, groups);
  const nameOfRight = useRightName();
  const others = useChoices('groups')?.filter(({ value }) => value !== item.id);
  const circles = (others ?? [])
    .filter(({ value }) => !parents.includes(value))
    .map(({ value }) => findInheritanceCycle(item.id, value, groups))
    .filter((way) => way !== undefined);
  const closed = parents
    .map((parent) => findInheritanceCycle(item.id, parent, groups))
    .find(Boolean);

  return (
    <FormSection
      title={t('adminConfig.group.inherits')}
      description={t('adminConfig.group.inheritsAbout')}
      holds={{ inherits: 'groups' }}
    >
      <IdsField
        path="inherits"
        label={t('adminConfig.group.inheritsFrom')}
        placeholder={t('adminConfig.group.inheritsNone')}
        choices={others?.map((choice) => ({
          ...choice,
          disabled: circles.some(([, parent]) => parent === choice.value),
        }))}
      />
      {closed && (
        <p className={classes.circle} role="alert">
          {t('adminConfig.group.circle', { way: closed.join(' › ') })}
        </p>
      )}
      {circles.length > 0 && (
        <p className={classes.note}>
          {t('adminConfig.group.noCircles', { groups: circles.map(([, id]) => id).join(', ') })}
        </p>
      )}
      {parents.length > 0 && (
        <dl className={classes.inherited}>
          {grantKinds.map((kind) => (
            <div key={kind}>
              <dt>{t(kindNames[kind])}</dt>
              <dd>
                <GrantWords grants={inheritedGrants(kind, parents, groups)} />
              </dd>
            </div>
          ))}
          {rights.length > 0 && (
            <div>
              <dt>{t('adminConfig.group.someRights')}</dt>
              <dd>
                <GrantWords grants={rights.map(({ id, via }) => ({ id: nameOfRight(id), via }))} />
              </dd>
            </div>
          )}
        </dl>
      )}
    </FormSection>
  );
}

function GrantWords({ grants }: { grants: { id: string; via: string }[] }) {
  const { t } = useTranslation();
  if (grants.length === 0) {
    return t('adminConfig.group.nothing');
  }
  return (
    <ul>
      {grants.map(({ id, via }) => (
        <li key={id}>
          {t('adminConfig.group.via', {
            what: id === '*' ? t('adminConfig.group.everything') : id,
            group: via,
          })}
        </li>
      ))}
    </ul>
  );
}

const kindNames = {
  apps: 'adminPages.apps',
  models: 'adminPages.models',
  prompts: 'adminPages.prompts',
  skills: 'adminConfig.skills.title',
  skillCategories: 'adminConfig.group.skillCategories',
  tools: 'adminConfig.tools.title',
} as const satisfies Record<GrantKind, string>;
