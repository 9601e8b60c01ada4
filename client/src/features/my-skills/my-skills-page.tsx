import { mySkillsApi, type PersonalSkill } from '@knowhow/shared/skills/personal-skills';
import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import { Bolt } from '../../ui/bolt.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import cards from '../../ui/layout/item-cards.module.css';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './my-skills.module.css';
import { ProposalState } from './proposal-state.tsx';
import { ReceivedSkills } from './received-skills.tsx';

/** The user's own skills. */
export function MySkillsPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(query(mySkillsApi.list, {}));
  const isFull = data !== undefined && data.items.length >= data.max;
  const newSkill = (
    <Button component={Link} to="/my/skills/new" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('mySkills.new')}
    </Button>
  );
  return (
    <PageFrame
      title={t('mySkills.title')}
      back={{ to: '/skills', label: t('library.title') }}
      description={t('mySkills.about')}
      actions={data && data.level !== 'none' && data.items.length > 0 && !isFull && newSkill}
    >
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={160} />
        </div>
      )}
      {data?.level === 'none' && (
        <EmptyState title={t('mySkills.notAllowed')} text={t('mySkills.notAllowedText')} />
      )}
      {data && data.level !== 'none' && data.items.length === 0 && (
        <EmptyState title={t('mySkills.empty')} text={t('mySkills.emptyText')}>
          {newSkill}
        </EmptyState>
      )}
      {isFull && <p className={classes.note}>{t('mySkills.full', { count: data.max })}</p>}
      {data && data.items.length > 0 && (
        <ul className={cards.list} aria-label={t('mySkills.title')}>
          {data.items.map((skill) => (
            <SkillRow key={skill.id} skill={skill} />
          ))}
        </ul>
      )}
      {data && data.level !== 'none' && <ReceivedSkills />}
    </PageFrame>
  );
}

function SkillRow({ skill }: { skill: PersonalSkill }) {
  const { t } = useTranslation();
  const { id, name, proposal, recipients } = skill;
  const { title, description } = useLocalizeSkill()({ ...skill, displayName: name });
  return (
    <li className={`${cards.card} ${cards.linked}`}>
      <h2 className={cards.name}>
        <Bolt />
        <Link to={`/my/skills/${encodeURIComponent(name)}`}>{title}</Link>
      </h2>
      <p className={cards.description}>{description}</p>
      <p className={cards.facts}>
        <code>/{id}</code>
        {recipients > 0 && <span>{t('mySkills.share.with', { count: recipients })}</span>}
        {proposal && <ProposalState state={proposal.state} />}
      </p>
    </li>
  );
}
