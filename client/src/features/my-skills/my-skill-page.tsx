import { Problem } from '@knowhow/shared/problem';
import { mySkillsApi, type PersonalSkillDetail } from '@knowhow/shared/skills/personal-skills';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { query } from '../../api/query.ts';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { usePersistedState } from '../../ui/use-persisted-state.ts';
import { FromConversation } from './from-conversation.tsx';
import { MySkillForm } from './my-skill-form.tsx';
import classes from './my-skills.module.css';
import { ProposalSection } from './proposal-section.tsx';
import { ShareSection } from './share-section.tsx';
import { type WrittenSkill, writtenSkillSchema } from './written-skill.ts';

interface MySkillPageProps {
  name: string;
  /** Opens a new conversation with a skill. */
  onTry: (id: string) => void;
}

/** The page of one of the user's own skills: an editor, and its proposal to the organisation. */
export function MySkillPage({ name, onTry }: MySkillPageProps) {
  const { t } = useTranslation();
  const {
    data: skill,
    error,
    refetch,
  } = useQuery({
    ...query(mySkillsApi.get, { params: { name } }),
    // A change in another tab must not replace what is being written here.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const back = useBack();
  if (!skill) {
    const isMissing = error instanceof Problem && error.code === 'not-found';
    return (
      <PageFrame title={name} back={back}>
        {error ? (
          <ErrorNote error={error} onRetry={isMissing ? undefined : () => refetch()} />
        ) : (
          <div role="status" aria-label={t('state.loading')}>
            <Skeleton height={240} />
          </div>
        )}
      </PageFrame>
    );
  }
  return <EditPage skill={skill} onTry={onTry} />;
}

function EditPage({
  skill,
  onTry,
}: { skill: PersonalSkillDetail } & Pick<MySkillPageProps, 'onTry'>) {
  const navigate = useNavigate();
  const back = useBack();
  return (
    <PageFrame
      title={skill.name}
      back={back}
      status={<code className={classes.id}>/{skill.id}</code>}
    >
      <div className={classes.parts}>
        <MySkillForm skill={skill} onTry={onTry} onDeleted={() => navigate('/my/skills')} />
        <ShareSection skill={skill} />
        <ProposalSection skill={skill} />
      </div>
    </PageFrame>
  );
}

/** The page for a new skill, perhaps from a conversation that the URL names. */
export function NewMySkillPage({ onTry }: Pick<MySkillPageProps, 'onTry'>) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const id = params.get('conversation');
  return (
    <PageFrame title={t('mySkills.new')} back={useBack()} description={t('mySkills.newAbout')}>
      <NewMySkill key={id} id={id} onTry={onTry} />
    </PageFrame>
  );
}

/** The form of a new skill; its draft survives a reload. */
function NewMySkill({ id, onTry }: { id: string | null } & Pick<MySkillPageProps, 'onTry'>) {
  const navigate = useNavigate();
  const draft = usePersistedState(`my-skill:${id ?? ''}`, draftSchema, null);
  const form = (initial: WrittenSkill) => (
    <MySkillForm
      initial={initial}
      onChange={(changed) => draft.setValue((before) => ({ ...(before ?? initial), ...changed }))}
      onSettled={draft.forget}
      onTry={onTry}
      onCreated={({ name }) =>
        navigate(`/my/skills/${encodeURIComponent(name)}`, { replace: true })
      }
    />
  );
  return id === null ? (
    form(draft.value ?? emptySkill)
  ) : (
    <FromConversation id={id} draft={draft.value} onWritten={draft.setValue}>
      {form}
    </FromConversation>
  );
}

const draftSchema = writtenSkillSchema.nullable();
const emptySkill: WrittenSkill = { name: '', description: '', instructions: '' };

function useBack() {
  const { t } = useTranslation();
  return { to: '/my/skills', label: t('mySkills.title') };
}
