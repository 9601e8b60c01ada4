import type { TraceMessage, TraceRound } from '@knowhow/shared/chat/traces';
import { useTranslation } from 'react-i18next';
import { WrittenCall } from './tool-calls.tsx';
import classes from './trace-rounds.module.css';
import { TraceText } from './trace-text.tsx';

/** The messages added since the previous request. */
export function AddedMessages({ round }: { round: TraceRound }) {
  const { t } = useTranslation();
  const { added, earlier } = round;
  return (
    <>
      <h5 className={classes.part}>
        {t('trace.added')}
        {earlier > 0 && (
          <span className={classes.quiet}> {t('trace.earlier', { count: earlier })}</span>
        )}
      </h5>
      {added.length === 0 ? (
        <p className={classes.quiet}>{t('trace.nothingAdded')}</p>
      ) : (
        <ul className={classes.messages}>
          {added.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message is what is at its position
            <li key={index} className={classes.message}>
              <Added message={message} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Added({ message }: { message: TraceMessage }) {
  const { t } = useTranslation();
  const { role, content, name = '', error, images, toolCalls = [], withheld } = message;
  return (
    <>
      <p className={classes.role}>
        {t(roles[role], { name })}
        {error && <span className={classes.wrong}> {t('trace.error')}</span>}
        {images !== undefined && (
          <span className={classes.quiet}> {t('trace.pictures', { count: images })}</span>
        )}
      </p>
      {withheld && <p className={classes.quiet}>{t('trace.withheld')}</p>}
      {content !== '' && <TraceText text={content} />}
      {toolCalls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call is what is at its position
        <WrittenCall key={index} {...call} />
      ))}
    </>
  );
}

const roles = {
  user: 'trace.role.user',
  assistant: 'trace.role.assistant',
  tool: 'trace.role.tool',
} as const;
