import { mySkillsApi, type ReceivedSkill } from '@knowhow/shared/skills/personal-skills';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import { Bolt } from '../../ui/bolt.tsx';
import cards from '../../ui/layout/item-cards.module.css';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';

/** Skills that others share with the user; nothing if there are none. */
export function ReceivedSkills() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(query(mySkillsApi.received, {}));
  if (error) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  if (!data || data.items.length === 0) {
    return null;
  }
  return (
    <Section title={t('mySkills.share.received')} text={t('mySkills.share.receivedText')}>
      <ul className={cards.list} aria-label={t('mySkills.share.received')}>
        {data.items.map((skill) => (
          <ReceivedRow key={skill.id} skill={skill} />
        ))}
      </ul>
    </Section>
  );
}

function ReceivedRow({ skill }: { skill: ReceivedSkill }) {
  const { t } = useTranslation();
  const { id, sharedBy } = skill;
  const { title, description } = useLocalizeSkill()(skill);
  return (
    <li className={`${cards.card} ${cards.linked}`}>
      <h3 className={cards.name}>
        <Bolt />
        <Link to={`/skills/${encodeURIComponent(id)}`}>{title}</Link>
      </h3>
      <p className={cards.description}>{description}</p>
      <p className={cards.facts}>
        <code>/{id}</code>
        <span>{t('mySkills.share.from', { name: sharedBy })}</span>
      </p>
    </li>
  );
}
