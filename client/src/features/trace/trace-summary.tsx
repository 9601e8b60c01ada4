import type { Trace } from '@knowhow/shared/chat/traces';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './trace-panel.module.css';
import { useTraceFormat } from './use-trace-format.ts';

interface TraceSummaryProps {
  trace: Trace;
  modelName: (id: string) => string;
}

/** Key figures of the answer. */
export function TraceSummary({ trace, modelName }: TraceSummaryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { time, tokens, cost } = useTraceFormat();
  const { model, status, error, rounds, ms, usage } = trace;
  const facts = [
    [t('trace.state'), t(states[status], { code: error?.code ?? '' })],
    [t('trace.model'), modelName(model)],
    [t('trace.requests'), format.number(rounds.length)],
    [t('trace.time'), time(ms)],
    [t('trace.tokens'), tokens(usage)],
    [t('trace.cost'), cost(usage)],
  ].filter(([, value]) => value !== undefined);
  return (
    <dl className={classes.facts} aria-label={t('trace.facts')}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const states = {
  complete: 'trace.status.complete',
  running: 'trace.status.running',
  stopped: 'trace.status.stopped',
  failed: 'trace.status.failed',
  interrupted: 'trace.status.interrupted',
} as const;
