import type { TraceRound } from '@knowhow/shared/chat/traces';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './trace-rounds.module.css';
import { useTraceFormat } from './use-trace-format.ts';

/** The tool calls in an answer to a request, with their results. */
export function ToolCalls({ calls }: Pick<TraceRound, 'calls'>) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const { time } = useTraceFormat();
  return (
    calls.length > 0 && (
      <>
        <h5 className={classes.part}>{t('trace.calls')}</h5>
        <ul className={classes.calls}>
          {calls.map((call) => (
            <li key={call.startedAt + call.name + JSON.stringify(call.input)}>
              <WrittenCall name={call.name} input={call.input} />
              <span className={classes.quiet}>
                {t('trace.gave', { bytes: bytes(call.bytes), time: time(call.ms) })}
                {call.summary && ` · ${call.summary}`}
              </span>
              {call.error && <span className={classes.wrong}> {t('trace.error')}</span>}
            </li>
          ))}
        </ul>
      </>
    )
  );
}

/** A call as the model wrote it. */
export function WrittenCall({ name, input }: { name: string; input: unknown }) {
  return (
    <code className={classes.call}>
      <b>{name}</b> {input === null ? '' : JSON.stringify(input)}
    </code>
  );
}
