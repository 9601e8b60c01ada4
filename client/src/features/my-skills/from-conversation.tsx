import { problem } from '@knowhow/shared/problem';
import { conversationSkillApi } from '@knowhow/shared/skills/conversation-skill';
import { Button, Loader } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { toProblem } from '../../api/request.ts';
import { stream } from '../../api/stream.ts';
import cards from '../../ui/layout/item-cards.module.css';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './my-skills.module.css';
import type { WrittenSkill } from './written-skill.ts';

interface FromConversationProps {
  /** The id of the conversation. */
  id: string;
  /** The skill that was written before a reload. */
  draft: WrittenSkill | null;
  onWritten: (skill: WrittenSkill) => void;
  /** Called with the skill once it is written. */
  children: (skill: WrittenSkill) => ReactNode;
}

/** Has a skill written from a conversation, shows the progress, and then the skill. */
export function FromConversation({ id, draft, onWritten, children }: FromConversationProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [attempt, setAttempt] = useState(0);
  const [characters, setCharacters] = useState(0);
  const [error, setError] = useState<unknown>();

  const [skill, setSkill] = useState(draft);
  const isWritten = skill !== null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again
  useEffect(() => {
    if (isWritten) {
      return;
    }
    const controller = new AbortController();
    const { signal } = controller;
    setError(undefined);
    setCharacters(0);
    writeSkill(id, { signal, onProgress: setCharacters }).then(
      (written) => {
        setSkill(written);
        onWritten(written);
      },
      (failure: unknown) => {
        if (!signal.aborted) {
          setError(failure);
        }
      },
    );
    return () => controller.abort();
  }, [id, attempt, isWritten]);

  if (skill) {
    return (
      <>
        {skill.isTemplate && (
          <p className={classes.template}>{t('mySkills.fromConversation.template')}</p>
        )}
        {children(skill)}
      </>
    );
  }
  if (error !== undefined) {
    return <ErrorNote error={error} onRetry={() => setAttempt((last) => last + 1)} />;
  }
  return (
    <div className={classes.writing} role="status">
      <Loader size="sm" />
      <div>
        <p className={classes.plain}>{t('mySkills.fromConversation.writing')}</p>
        {characters > 0 && (
          <p className={cards.facts}>
            {t('mySkills.fromConversation.characters', { count: characters })}
          </p>
        )}
      </div>
      <Button variant="default" onClick={() => navigate(`/c/${id}`)}>
        {t('mySkills.fromConversation.cancel')}
      </Button>
    </div>
  );
}

interface Options {
  signal: AbortSignal;
  onProgress: (characters: number) => void;
}

async function writeSkill(id: string, { signal, onProgress }: Options): Promise<WrittenSkill> {
  const events = stream(conversationSkillApi.write, { params: { id } }, { signal });
  for await (const { event } of events) {
    switch (event.type) {
      case 'progress':
        onProgress(event.characters);
        break;
      case 'error':
        throw toProblem(event.problem);
      case 'skill':
        return event.skill;
    }
  }
  throw problem('internal', 'The server ended the answer too early. Try again.');
}
