import type { RestorePlan } from '@knowhow/shared/config/backup';
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FileChanges } from '../../ui/files/file-changes.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { IssueList } from './issue-list.tsx';
import classes from './plan-details.module.css';

interface PlanProps {
  plan: RestorePlan;
}

/** Errors, warnings and changed files of a restore. */
export function PlanDetails({ plan }: PlanProps) {
  return (
    <div className={classes.details}>
      <Refused plan={plan} />
      <Warnings plan={plan} />
      <Rows plan={plan} />
      <Changes plan={plan} />
      <NotUsed plan={plan} />
    </div>
  );
}

function Refused({ plan: { refused } }: PlanProps) {
  const { t } = useTranslation();
  return (
    refused.length > 0 && (
      <div className={classes.refused} role="alert">
        <h4>
          <IconAlertCircle size={18} aria-hidden />
          {t('adminBackup.refused', { count: refused.length })}
        </h4>
        <IssueList issues={refused} />
      </div>
    )
  );
}

function Warnings({ plan: { warnings } }: PlanProps) {
  const { t } = useTranslation();
  return (
    warnings.length > 0 && (
      <div className={classes.warnings}>
        <h4>
          <IconAlertTriangle size={18} aria-hidden />
          {t('adminBackup.warnings', { count: warnings.length })}
        </h4>
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </div>
    )
  );
}

function Rows({ plan: { data, format } }: PlanProps) {
  const { t, i18n } = useTranslation();
  const rowName = useRowName();
  // If the backup contains no users or conversations, the current ones would be removed: say so.
  const shown = Object.entries(data).filter(([kind, count]) => count > 0 || mainKinds.has(kind));
  const kinds = shown.map(([kind, count]) => rowName(kind, count));
  const rows = new Intl.ListFormat(i18n.language).format(kinds);
  return (
    kinds.length > 0 && (
      <p className={classes.rows}>
        {t(format === 'ihub' ? 'adminBackup.rowsAdded' : 'adminBackup.rows', { rows })}
      </p>
    )
  );
}

const mainKinds = new Set(['users', 'conversations']);

/** Longer lists of changed files are collapsed. */
const mostOpen = 12;

function Changes({ plan: { changes, added, changed, removed } }: PlanProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const count = added + changed + removed;
  return (
    count > 0 && (
      <Expander summary={t('adminBackup.changes', { count })} initiallyOpen={count <= mostOpen}>
        {changes.length < count && (
          <p className={classes.first}>
            {t('adminBackup.firstChanges', { shown: number(changes.length) })}
          </p>
        )}
        <FileChanges changes={changes} />
      </Expander>
    )
  );
}

function NotUsed({ plan: { notUsed } }: PlanProps) {
  const { t } = useTranslation();
  return (
    notUsed.length > 0 && (
      <Expander summary={t('adminBackup.notUsed', { count: notUsed.length })}>
        <ul className={classes.notUsed}>
          {notUsed.map(({ path, message }) => (
            <li key={path + message}>
              <span className={classes.path}>{path}</span> {message}
            </li>
          ))}
        </ul>
      </Expander>
    )
  );
}

/** Formats the number of database rows of a kind: "12 users". */
function useRowName(): (kind: string, count: number) => string {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (kind, count) => {
    const rows = number(count);
    return isKnown(kind)
      ? t(names[kind], { count, rows })
      : t('adminBackup.rowKinds.unknown', { rows, kind });
  };
}

function isKnown(kind: string): kind is keyof typeof names {
  return Object.hasOwn(names, kind);
}

const names = {
  users: 'adminBackup.rowKinds.users',
  conversations: 'adminBackup.rowKinds.conversations',
  messages: 'adminBackup.rowKinds.messages',
  activations: 'adminBackup.rowKinds.activations',
  skill_versions: 'adminBackup.rowKinds.skill_versions',
  skill_drafts: 'adminBackup.rowKinds.skill_drafts',
  skill_reviews: 'adminBackup.rowKinds.skill_reviews',
  skill_texts: 'adminBackup.rowKinds.skill_texts',
  tool_results: 'adminBackup.rowKinds.tool_results',
  vendor_states: 'adminBackup.rowKinds.vendor_states',
  lines: 'adminBackup.rowKinds.lines',
  compactions: 'adminBackup.rowKinds.compactions',
} as const;
