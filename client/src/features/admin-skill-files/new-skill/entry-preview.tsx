import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { useTranslation } from 'react-i18next';
import { Bolt } from '../../../ui/bolt.tsx';
import { DiagnosticsList } from '../../../ui/diagnostics-list.tsx';
import { usePublishing } from '../../../ui/use-publishing.ts';
import classes from './entry-preview.module.css';

interface EntryPreviewProps {
  name: string;
  description: string;
  /** The server's review of the draft; undefined at first. */
  report: SkillReport | undefined;
}

/** The catalogue entry, its token cost, and the next steps. */
export function EntryPreview({ name, description, report }: EntryPreviewProps) {
  const { t } = useTranslation();
  const { mayPublishAny } = usePublishing();
  return (
    <aside className={classes.rail} aria-labelledby="new-skill-entry">
      <h2 id="new-skill-entry">{t('newSkill.entry')}</h2>
      <div className={classes.entry}>
        <p className={classes.name}>
          <Bolt />
          <code>{name || t('newSkill.nameMissing')}</code>
        </p>
        <p className={classes.description} data-missing={description === '' || undefined}>
          {description || t('newSkill.descriptionMissing')}
        </p>
      </div>
      <p className={classes.about}>{t('newSkill.entryHint')}</p>
      {report && (
        <dl className={classes.costs}>
          <dt>{t('newSkill.entryCost')}</dt>
          <dd>{t('newSkill.tokens', { count: report.tokens.entry })}</dd>
          <dt>{t('newSkill.bodyCost')}</dt>
          <dd>{t('newSkill.tokens', { count: report.tokens.body })}</dd>
        </dl>
      )}
      {report && report.diagnostics.length > 0 && (
        <DiagnosticsList diagnostics={report.diagnostics} />
      )}
      {mayPublishAny && (
        <>
          <h2>{t('newSkill.next')}</h2>
          <p className={classes.about}>{t('newSkill.nextText')}</p>
        </>
      )}
    </aside>
  );
}
