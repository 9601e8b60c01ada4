import { Problem } from '@knowhow/shared/problem';
import { libraryApi } from '@knowhow/shared/skills/library';
import { personalSkillName } from '@knowhow/shared/skills/skill-id';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../api/query.ts';
import { buildUrl } from '../../api/request.ts';
import { useLocalizeSkill } from '../../i18n/use-localize-skill.ts';
import { Expander } from '../../ui/layout/expander.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import page from '../../ui/layout/page-parts.module.css';
import { Section } from '../../ui/layout/section.tsx';
import { Markdown } from '../../ui/markdown/lazy-markdown.tsx';
import { ReviewDate } from '../../ui/review-date.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './library-skill-page.module.css';
import { SkillUse } from './skill-use.tsx';

interface LibrarySkillPageProps {
  name: string;
  /** Display names of the user's apps by id. */
  appNames: ReadonlyMap<string, string>;
  /** Opens a new conversation with the skill, and with a text to send. */
  onUse: (skill: string, text?: string) => void;
}

type LibraryDetail = Awaited<ReturnType<typeof libraryApi.get.response.parse>>;

/** The page of a skill: its purpose, examples to try, instructions and files. */
export function LibrarySkillPage({ name, appNames, onUse }: LibrarySkillPageProps) {
  const { t } = useTranslation();
  const localize = useLocalizeSkill();
  const found = useQuery(query(libraryApi.get, { params: { name } }));
  const back = { to: '/skills', label: t('library.title') };
  if (!found.data) {
    return (
      <PageFrame title={name} back={back}>
        {found.error ? (
          <ErrorNote
            error={found.error}
            onRetry={isMissing(found.error) ? undefined : () => found.refetch()}
          />
        ) : (
          <div role="status" aria-label={t('state.loading')}>
            <Skeleton height={200} />
          </div>
        )}
      </PageFrame>
    );
  }
  const skill = found.data;
  const { title, description } = localize(skill);
  const isPickable = skill.userInvocable && skill.apps.length > 0;
  return (
    <PageFrame
      title={title}
      back={back}
      status={
        skill.isPersonal &&
        (skill.sharedBy === undefined ? (
          <Link to={`/my/skills/${encodeURIComponent(personalSkillName(skill.name))}`}>
            {t('mySkills.change')}
          </Link>
        ) : (
          t('mySkills.share.from', { name: skill.sharedBy })
        ))
      }
      actions={
        isPickable && (
          <Button
            leftSection={<IconMessagePlus size={17} aria-hidden />}
            onClick={() => onUse(skill.name)}
          >
            {t('library.use')}
          </Button>
        )
      }
    >
      <div className={page.parts}>
        <div>
          <p className={page.lead}>{description}</p>
          <p className={page.facts}>
            {isPickable && <code>/{skill.name}</code>}
            <SkillUse skill={skill} />
          </p>
          {skill.deprecated && <DeprecationNote deprecated={skill.deprecated} />}
          {!isPickable && <p className={classes.note}>{t('library.modelOnly')}</p>}
        </div>
        <Examples skill={skill} onUse={onUse} />
        <Facts skill={skill} appNames={appNames} />
        {skill.review && (
          <ReviewDate skill={{ name, displayName: title, reviewBy: skill.review.by }} />
        )}
        <Expander summary={t('library.instructions')}>
          <Instructions name={skill.name} />
        </Expander>
        {skill.files.length > 0 && (
          <Expander summary={t('library.files', { count: skill.files.length })}>
            <Files skill={skill} />
          </Expander>
        )}
      </div>
    </PageFrame>
  );
}

/** The skill to use instead, and the reason. */
function DeprecationNote({ deprecated }: { deprecated: NonNullable<LibraryDetail['deprecated']> }) {
  const { t } = useTranslation();
  const localize = useLocalizeSkill();
  const { note, successor } = deprecated;
  return (
    <div role="note">
      <p className={classes.note}>
        {t('library.deprecated')}{' '}
        {successor && (
          <Link to={`/skills/${encodeURIComponent(successor.name)}`}>
            {t('library.useInstead', {
              successor: localize({ ...successor, description: '' }).title,
            })}
          </Link>
        )}
      </p>
      {note !== undefined && <p className={classes.note}>{note}</p>}
    </div>
  );
}

/** It does not exist, or not for this user: trying again does not help. */
function isMissing(error: Error): boolean {
  return error instanceof Problem && error.code === 'not-found';
}

/** Prompts of the author; one click writes it into a new conversation. */
function Examples({
  skill,
  onUse,
}: { skill: LibraryDetail } & Pick<LibrarySkillPageProps, 'onUse'>) {
  const { t } = useTranslation();
  if (skill.examples.length === 0) {
    return null;
  }
  return (
    <Section title={t('library.examples')} text={t('library.examplesText')}>
      <ul className={classes.examples}>
        {skill.examples.map((example) => (
          <li key={example}>
            <UnstyledButton className={classes.example} onClick={() => onUse(skill.name, example)}>
              {example}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Facts({
  skill,
  appNames,
}: { skill: LibraryDetail } & Pick<LibrarySkillPageProps, 'appNames'>) {
  const { t, i18n } = useTranslation();
  const list = (words: readonly string[]) => new Intl.ListFormat(i18n.language).format(words);
  const facts = [
    [t('library.facts.apps'), list(skill.apps.map((id) => appNames.get(id) ?? id))],
    [t('library.facts.category'), skill.category],
    [t('library.facts.tags'), list(skill.tags)],
    [t('library.facts.compatibility'), skill.compatibility],
    [t('library.facts.owner'), skill.owner],
    [t('library.facts.license'), skill.license],
  ].flatMap(([label = '', value]) => (value ? [{ label, value }] : []));
  return (
    facts.length > 0 && (
      <dl className={classes.list}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )
  );
}

function Instructions({ name }: { name: string }) {
  const { t } = useTranslation();
  const content = useQuery(query(skillsApi.content, { params: { name } }));
  if (content.error) {
    return <ErrorNote error={content.error} onRetry={() => content.refetch()} />;
  }
  const loading = <Skeleton height={80} role="status" aria-label={t('state.loading')} />;
  if (!content.data) {
    return loading;
  }
  return content.data.body.trim() === '' ? (
    <p className={classes.note}>{t('library.noInstructions')}</p>
  ) : (
    <Suspense fallback={loading}>
      <Markdown text={content.data.body} streaming={false} />
    </Suspense>
  );
}

/** A skill may have hundreds. */
const maxListed = 100;

function Files({ skill: { name, files } }: { skill: LibraryDetail }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  return (
    <>
      <ul className={classes.files}>
        {files.slice(0, maxListed).map(({ path, size }) => (
          <li key={path}>
            <a
              href={buildUrl(skillsApi.file, { params: { name, path } })}
              target="_blank"
              rel="noreferrer"
            >
              {path}
            </a>
            <span>{bytes(size)}</span>
          </li>
        ))}
      </ul>
      {files.length > maxListed && (
        <p className={classes.note}>
          {t('library.moreFiles', { count: files.length - maxListed })}
        </p>
      )}
    </>
  );
}
