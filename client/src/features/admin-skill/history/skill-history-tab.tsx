import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import boxed from '../boxed-list.module.css';
import { Rows } from '../rows.tsx';
import tabClasses from '../skill-tab.module.css';
import { RevisionRow } from './revision-row.tsx';
import { SkillAudit } from './skill-audit.tsx';

/** The file versions and the audit entries of a skill. */
export function SkillHistoryTab({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const history = useQuery(query(skillHistoryApi.history, { params: { name: skill.name } }));
  const revisions = history.data?.items ?? [];
  return (
    <div className={tabClasses.tab}>
      <Section title={t('skillPage.states')} text={t('skillPage.statesText')}>
        <LoadError queries={[history]} />
        {history.isPending && <Rows />}
        {history.data && revisions.length === 0 && (
          <EmptyState title={t('skillPage.noStates')} text={t('skillPage.noStatesText')} />
        )}
        <ol className={boxed.list}>
          {revisions.map((revision, position) => (
            <RevisionRow
              key={revision.number}
              skill={skill}
              revision={revision}
              isFirst={position === revisions.length - 1}
              isNewest={position === 0}
            />
          ))}
        </ol>
      </Section>
      <SkillAudit name={skill.name} />
    </div>
  );
}
