import { type QuestionAnswer, toolsApi } from '@knowhow/shared/config/tools';
import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { type SubmitEvent, use, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { call as callApi } from '../../../api/call.ts';
import { focusFirstError, QuestionFields } from '../../../ui/question-fields.tsx';
import { initialFormValues, parseFormValues } from '../../../ui/question-values.ts';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { ConversationContext } from '../conversation-context.ts';
import type { WaitingCardProps } from './call-props.ts';
import { CardFoot } from './card-foot.tsx';
import { useReply } from './use-reply.ts';
import classes from './waiting-card.module.css';

interface QuestionCardProps {
  question: Extract<WaitingCardProps['waitsFor'], { type: 'question' }>;
}

/** A tool's question to its user (MCP elicitation): a form, or a page to open. */
export function QuestionCard({ question }: QuestionCardProps) {
  const { t } = useTranslation();
  const id = use(ConversationContext);
  const { message, fields, url, expiresAt } = question;
  const isSaidByField = fields.length === 1 && fields[0]?.label === message;
  const [entries, setEntries] = useState(() => initialFormValues(fields));
  const [isTried, setTried] = useState(false);
  const { values, faults } = parseFormValues(fields, entries);
  const reply = useReply((answer: QuestionAnswer) =>
    callApi(toolsApi.answer, { params: { id, question: question.question }, body: answer }),
  );

  function onSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faults).length === 0) {
      reply.give({ action: 'accept', values });
      return;
    }
    focusFirstError(event.currentTarget);
  }

  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      {!isSaidByField && (
        <p className={classes.message}>
          <PlainText text={revealHiddenCharacters(message)} />
        </p>
      )}
      {url === undefined ? (
        <QuestionFields
          fields={fields}
          entries={entries}
          faults={isTried ? faults : {}}
          onChange={setEntries}
        />
      ) : (
        <OpenPage url={url} />
      )}
      <CardFoot reply={reply} expiresAt={expiresAt}>
        <Button size="sm" type="submit">
          {t(url === undefined ? 'toolCall.accept' : 'toolCall.done')}
        </Button>
        <Button size="sm" variant="default" onClick={() => reply.give({ action: 'decline' })}>
          {t('toolCall.decline')}
        </Button>
      </CardFoot>
    </form>
  );
}

/** A page that a tool wants its user to open. Only the host is shown, because it decides about trust. */
function OpenPage({ url }: { url: string }) {
  const { t } = useTranslation();
  const host = getHost(url);
  if (host === undefined) {
    return <p className={classes.note}>{t('toolCall.badUrl')}</p>;
  }
  return (
    <>
      <p className={classes.message}>
        <Trans i18nKey="toolCall.openAbout" values={{ host }} components={{ b: <strong /> }} />
      </p>
      <Button
        className={classes.open}
        component="a"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        variant="default"
        size="sm"
        leftSection={<IconExternalLink size={16} aria-hidden />}
      >
        {t('toolCall.open', { host })}
      </Button>
    </>
  );
}

/** The normalised host; undefined for an invalid URL. */
function getHost(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.host : undefined;
}
