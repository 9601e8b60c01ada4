import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { Section } from '../../../ui/layout/section.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { Rows } from '../rows.tsx';
import { AccessTable } from './access-table.tsx';
import classes from './effective-access.module.css';
import { useAccessRule } from './use-access-rule.ts';

/** The effective access to a skill, with the rules that decide. */
export function EffectiveAccess({ skill: { name, status } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const ruleText = useAccessRule();
  const access = useQuery(query(adminSkillsApi.access, { params: { name } }));
  return (
    <Section title={t('skillPage.whoSees')} text={t('skillPage.whoSeesText')}>
      <LoadError queries={[access]} />
      {status === 'on' && access.isPending && <Rows />}
      {status === 'on' ? (
        access.data && <AccessTable access={access.data} />
      ) : (
        <p className={classes.nobody}>
          {t('skillPage.nobodySees', { rule: ruleText({ rule: status }) })}
        </p>
      )}
    </Section>
  );
}
