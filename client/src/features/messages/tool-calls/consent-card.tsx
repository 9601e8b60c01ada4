import { authApi } from '@knowhow/shared/access/auth';
import { type ConsentDecision, toolsApi } from '@knowhow/shared/config/tools';
import { isRecord } from '@knowhow/shared/is-record';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { call as callApi } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { ConversationContext } from '../conversation-context.ts';
import type { WaitingCardProps } from './call-props.ts';
import { CardFoot } from './card-foot.tsx';
import { isEmptyInput } from './is-empty-input.ts';
import { useReply } from './use-reply.ts';
import classes from './waiting-card.module.css';

interface ConsentCardProps {
  waitsFor: Extract<WaitingCardProps['waitsFor'], { type: 'consent' }>;
}

/** Asks for approval of a call. All texts come from our own registry, not from the tool. */
export function ConsentCard({ waitsFor }: ConsentCardProps) {
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
