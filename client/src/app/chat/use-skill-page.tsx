import { skillsApi } from '@knowhow/shared/skills/skills';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams } from 'react-router';
import { query } from '../../api/query.ts';
import { addToNewDraft } from '../../features/composer/use-draft.ts';
import { useErrorText } from '../../ui/text/use-error-text.ts';
import classes from '../notice-page.module.css';
import { NoticePage } from '../notice-page.tsx';
import { useLastApp } from './use-last-app.ts';

/** Opens a new conversation with a chosen skill, in the most recently used app that offers it. */
export function UseSkillPage() {
  const { name = '' } = useParams();
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [lastApp] = useLastApp();
  const { data: skill, error } = useQuery(query(skillsApi.get, { params: { name } }));
  const app = skill?.apps.find((id) => id === lastApp) ?? skill?.apps[0];

  if (skill && app !== undefined && skill.userInvocable) {
    return <OpenWith app={app} skill={skill.name} />;
  }
  if (!skill && !error) {
    return (
      <div className={classes.page} role="status" aria-label={t('state.loading')}>
        <Skeleton height={28} width={260} />
      </div>
    );
  }
  return (
    <NoticePage
      title={error ? errorText(error).title : t('useSkill.title', { name })}
      text={skill ? t('useSkill.modelOnly') : t('useSkill.text', { name })}
    >
      <Button component={Link} to="/">
        {t('notFound.wayOn')}
      </Button>
    </NoticePage>
  );
}

function OpenWith({ app, skill }: { app: string; skill: string }) {
  addToNewDraft(skill);
  return <Navigate to={`/apps/${app}`} replace />;
}
