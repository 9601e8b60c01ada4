import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { Section } from '../../ui/layout/section.tsx';
import { LoadError } from '../../ui/loading/load-error.tsx';
import { AccessTable } from './access/access-table.tsx';
import { useAccessRule } from './access/use-access-rule.ts';
import { PreviewAs } from './preview-as.tsx';
import { Rows } from './rows.tsx';
import ownClasses from './skill-access-tab.module.css';
import { SkillAssignments } from './skill-assignments.tsx';
import classes from './skill-tab.module.css';

/** Assignments of a skill, the effective access, and a preview. */
export function SkillAccessTab({ skill }: { skill: AdminSkillDetail }) {
  return (
    <div className={classes.tab}>
      <SkillAssignments skill={skill} />
      <EffectiveAccess skill={skill} />
      <PreviewAs skill={skill} />
    </div>
  );
}

/** The effective access to a skill, with the rules that decide. */
function EffectiveAccess({ skill: { name, status } }: { skill: AdminSkillDetail }) {
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
        <p className={ownClasses.noAccess}>
          {t('skillPage.nobodySees', { rule: ruleText({ rule: status }) })}
        </p>
      )}
    </Section>
  );
}
