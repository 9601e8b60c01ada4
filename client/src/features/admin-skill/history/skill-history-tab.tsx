import { type AuditEntry, adminApi } from '@knowhow/shared/config/admin';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { pages, query } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { useRight } from '../../../ui/rights.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import boxed from '../boxed-list.module.css';
import { Rows } from '../rows.tsx';
import tabClasses from '../skill-tab.module.css';
import { differences } from './differences.ts';
import { RevisionRow } from './revision-row.tsx';
import classes from './skill-audit.module.css';
import { useActionName } from './use-action-name.ts';

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

/** Audit entries of a skill, newest first, for users with permission. */
function SkillAudit({ name }: { name: string }) {
  const { t } = useTranslation();
  const mayRead = useRight('audit');
  const audit = useInfiniteQuery({
    ...pages(adminApi.audit, { query: { kind: 'skill', target: name, limit: 20 } }),
    enabled: mayRead,
  });
  const entries = audit.data?.pages.flatMap(({ items }) => items) ?? [];
  if (!mayRead) {
    return null;
  }
  return (
    <Section title={t('skillPage.audit')} text={t('skillPage.auditText')}>
      <LoadError queries={[audit]} />
      {audit.isPending && <Rows />}
      {audit.data && entries.length === 0 && (
        <p className={classes.none}>{t('skillPage.noAudit')}</p>
      )}
      <ul className={`${boxed.list} ${classes.list}`}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <MoreButton list={audit} />
    </Section>
  );
}

/** For example, the path of the written file. */
const summarySchema = z.object({ summary: z.string().min(1) });

function Entry({ entry }: { entry: AuditEntry }) {
  const { date, relativeDate } = useFormat();
  const actionName = useActionName();
  const { at, userName, action, before, after } = entry;
  const { summary } = summarySchema.safeParse(after).data ?? {};
  return (
    <li>
      <time dateTime={at} title={date(at)}>
        {relativeDate(at)}
      </time>
      <span className={classes.who}>{userName}</span>
      <span className={classes.what}>
        {actionName(action)} {summary !== undefined && <code>{summary}</code>}
        {differences(before, after).map(({ field, was, is }) => (
          <code key={field} className={classes.difference}>
            {field}: {was === undefined ? is : `${was} → ${is ?? '–'}`}
          </code>
        ))}
      </span>
    </li>
  );
}
