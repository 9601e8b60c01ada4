import { authApi } from '@knowhow/shared/access/auth';
import { type ConsentDecision, type QuestionAnswer, toolsApi } from '@knowhow/shared/config/tools';
import { isRecord } from '@knowhow/shared/is-record';
import { Button } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  type RefObject,
  type SubmitEvent,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { call as callApi } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { focusFirstError, QuestionFields } from '../../../ui/question-fields.tsx';
import { initialFormValues, parseFormValues } from '../../../ui/question-values.ts';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { useToolLabel } from '../../../ui/text/use-tool-label.ts';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { ConversationContext } from '../conversation-context.ts';
import { ThreadStateContext } from '../thread-state.ts';
import type { WaitingCardProps } from './call-props.ts';
import { CardFoot } from './card-foot.tsx';
import { isEmptyInput } from './is-empty-input.ts';
import { useReply } from './use-reply.ts';
import classes from './waiting-card.module.css';

/** The card for a call that is waiting for its user. */
export function WaitingCard({ waitsFor }: WaitingCardProps) {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const { title, source } = useToolLabel()(waitsFor);
  const heading = t(waitsFor.type === 'consent' ? 'toolCall.consent' : 'toolCall.asks', {
    title,
    source,
  });
  useCardFocus(card, heading);
  return (
    <section className={classes.card} ref={card} tabIndex={-1} aria-label={heading}>
      <h3 className={classes.heading}>{heading}</h3>
      {waitsFor.type === 'consent' ? (
        <ConsentCard waitsFor={waitsFor} />
      ) : (
        <QuestionCard key={waitsFor.question} question={waitsFor} />
      )}
    </section>
  );
}

/**
 * Focuses a card when it appears, unless the user is typing or busy elsewhere, and returns the focus when it
 * disappears, or else moves it to the composer. Screen readers announce its heading either way.
 */
function useCardFocus(card: RefObject<HTMLElement | null>, heading: string): void {
  const { focusComposer } = use(ThreadStateContext);
  useLayoutEffect(() => {
    const element = card.current;
    const before = document.activeElement;
    if (isIdle(before)) {
      element?.focus();
    }
    return () => {
      const { activeElement } = document;
      // A button that is disabled while its answer is sent has already lost the focus.
      const isHere = activeElement === document.body || element?.contains(activeElement);
      if (!isHere) {
        return;
      }
      const isKept = before instanceof HTMLElement && before !== document.body;
      if (isKept && before.isConnected) {
        before.focus();
      } else {
        focusComposer?.();
      }
    };
  }, [card, focusComposer]);

  // The surrounding live region is silent until the answer has ended.
  useEffect(() => {
    const announcer = document.createElement('div');
    announcer.role = 'status';
    announcer.setAttribute('aria-live', 'polite');
    Object.assign(announcer.style, { position: 'fixed', opacity: '0', pointerEvents: 'none' });
    document.body.append(announcer);
    // A live region is announced when it changes, not when it appears.
    const timer = setTimeout(() => {
      announcer.textContent = heading;
    }, 100);
    return () => {
      clearTimeout(timer);
      announcer.remove();
    };
  }, [heading]);
}

/** Nothing focused, or an empty text field of the page itself. */
function isIdle(focused: Element | null): boolean {
  if (focused === null || focused === document.body) {
    return true;
  }
  const isField = focused instanceof HTMLTextAreaElement || focused instanceof HTMLInputElement;
  return isField && focused.value === '' && !focused.closest('[role="dialog"], form, nav');
}

interface QuestionCardProps {
  question: Extract<WaitingCardProps['waitsFor'], { type: 'question' }>;
}

/** A tool's question to its user (MCP elicitation): a form, or a page to open. */
function QuestionCard({ question }: QuestionCardProps) {
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

interface ConsentCardProps {
  waitsFor: Extract<WaitingCardProps['waitsFor'], { type: 'consent' }>;
}

/** Asks for approval of a call. All texts come from our own registry, not from the tool. */
function ConsentCard({ waitsFor }: ConsentCardProps) {
  const { t } = useTranslation();
  const id = use(ConversationContext);
  const me = useQuery({ ...query(authApi.me, {}), staleTime: Number.POSITIVE_INFINITY });
  const isSignedIn = me.data?.anonymous === false;
  const reply = useReply((decision: ConsentDecision) =>
    callApi(toolsApi.consent, { params: { id, callId: waitsFor.callId }, body: { decision } }),
  );
  return (
    <>
      <ArgumentList input={waitsFor.input} />
      {waitsFor.isDestructive &&
        (waitsFor.isAssumed ? (
          <p className={classes.note}>{t('toolCall.assumed')}</p>
        ) : (
          <p className={classes.warning}>
            <IconAlertTriangle size={18} aria-hidden />
            {t('toolCall.destructive')}
          </p>
        ))}
      <CardFoot reply={reply} expiresAt={waitsFor.expiresAt}>
        <Button size="sm" onClick={() => reply.give('once')}>
          {t('toolCall.once')}
        </Button>
        <Button size="sm" variant="default" onClick={() => reply.give('conversation')}>
          {t('toolCall.conversation')}
        </Button>
        {isSignedIn && (
          <Button size="sm" variant="default" onClick={() => reply.give('always')}>
            {t('toolCall.always')}
          </Button>
        )}
        <Button size="sm" variant="default" onClick={() => reply.give('deny')}>
          {t('toolCall.deny')}
        </Button>
      </CardFoot>
    </>
  );
}

/** The arguments of a tool call, readable, with hidden characters made visible. */
function ArgumentList({ input }: { input: unknown }) {
  const { t } = useTranslation();
  if (isEmptyInput(input)) {
    return <p className={classes.note}>{t('toolCall.withoutArguments')}</p>;
  }
  const entries = isRecord(input) ? Object.entries(input) : [['', input] as const];
  return (
    <>
      <p className={classes.note}>{t('toolCall.consentAbout')}</p>
      <ScrollingGroup label={t('toolCall.arguments')} className={classes.arguments}>
        <dl>
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>{revealHiddenCharacters(name)}</dt>
              <dd>
                <PlainText text={revealHiddenCharacters(formatArgument(value))} />
              </dd>
            </div>
          ))}
        </dl>
      </ScrollingGroup>
    </>
  );
}

function formatArgument(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
