import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { allItems } from '../../api/query.ts';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './new-drafts.module.css';

/** Drafts of skills that have never been published: the list of skills does not contain them. */
export function NewDrafts() {
  const { t, i18n } = useTranslation();
  const { relativeDate } = useFormat();
  const { data = [], error, refetch } = useQuery(allItems(skillDraftsApi.list, {}));
  if (error) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  if (data.length === 0) {
    return null;
  }
  const list = new Intl.ListFormat(i18n.language);
  return (
    <Section title={t('skillList.drafts')}>
      <ul className={classes.drafts} aria-label={t('skillList.drafts')}>
        {data.map(({ skill, authors, updated, isInReview }) => (
          <li key={skill}>
            <Link to={`/admin/skills/${encodeURIComponent(skill)}`}>{skill}</Link>
            <span>{t('skillList.draftBy', { authors: list.format(authors) })}</span>
            <time dateTime={updated}>{relativeDate(updated)}</time>
            {isInReview && <span>{t('skillList.draftInReview')}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
