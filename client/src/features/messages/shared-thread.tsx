import { type SharedConversation, sharingApi } from '@knowhow/shared/chat/sharing';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { buildUrl } from '../../api/request.ts';
import { Answer } from './answer/answer.tsx';
import { type Reading, ReadingContext } from './answer/reading-context.ts';
import { Question } from './question.tsx';
import classes from './thread.module.css';

interface SharedThreadProps {
  token: string;
  messages: SharedConversation['messages'];
}

/** The messages of a shared conversation, read-only. */
export function SharedThread({ token, messages }: SharedThreadProps) {
  const { t } = useTranslation();
  const reading = useMemo(() => createReading(token, messages), [token, messages]);
  return (
    <ReadingContext value={reading}>
      <div className={classes.column}>
        {messages.map((message) =>
          message.role === 'user' ? (
            <Question key={message.id} question={message} label={t('shared.message')} />
          ) : (
            <Answer
              key={message.id}
              answer={message}
              modelName={message.model}
              activeSkills={noSkills}
            />
          ),
        )}
      </div>
    </ReadingContext>
  );
}

const noSkills: never[] = [];

function createReading(token: string, messages: SharedConversation['messages']): Reading {
  const answers = new Map(
    messages.flatMap((each) => (each.role === 'assistant' ? [[each.id, each]] : [])),
  );
  return {
    fileUrl: (id) => buildUrl(sharingApi.file, { params: { token, id } }),
    resultOf: (messageId, number) => answers.get(messageId)?.results?.[number] ?? null,
  };
}
