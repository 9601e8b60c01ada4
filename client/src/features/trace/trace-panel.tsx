import type { Trace } from '@knowhow/shared/chat/traces';
import { type traceMissing, tracesApi } from '@knowhow/shared/chat/traces';
import { Problem } from '@knowhow/shared/problem';
import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './trace-panel.module.css';
import { TraceRounds } from './trace-rounds.tsx';
import { useTraceFormat } from './use-trace-format.ts';
import { WhySkill } from './why-skill.tsx';

interface TracePanelProps {
  /** ID of the answer. */
  messageId: string;
  modelName: (id: string) => string;
  onClose: () => void;
}

/** What the model saw for an answer. */
export function TracePanel({ messageId, modelName, onClose }: TracePanelProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={780}
      title={t('trace.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      transitionProps={{ duration: 0 }}
      classNames={{
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: classes.title ?? '',
        body: classes.body ?? '',
      }}
    >
      <PanelContent messageId={messageId} modelName={modelName} />
    </Drawer>
  );
}

function PanelContent({ messageId, modelName }: Omit<TracePanelProps, 'onClose'>) {
  const { t } = useTranslation();
  const trace = useQuery({
    ...query(tracesApi.get, { params: { id: messageId } }),
    // Withdrawn access must not be bypassed by the cache.
    gcTime: 0,
    retry: false,
  });
  if (trace.error) {
    const missing = getMissingReason(trace.error);
    return missing ? (
      <EmptyState title={t(empty[missing].title)} text={t(empty[missing].text)} />
    ) : (
      <ErrorNote error={trace.error} onRetry={() => trace.refetch()} />
    );
  }
  if (!trace.data) {
    return <PanelSkeleton />;
  }
  return (
    <>
      <TraceSummary trace={trace.data} modelName={modelName} />
      <WhySkill trace={trace.data} />
      {trace.data.instructions && (
        <Expander summary={t('trace.instructions')}>
          <pre className={classes.instructions}>
            <PlainText text={trace.data.instructions} />
          </pre>
        </Expander>
      )}
      <TraceRounds trace={trace.data} modelName={modelName} />
      <Button
        className={classes.save}
        component="a"
        href={`/api/messages/${messageId}/trace`}
        download={`trace-${messageId}.json`}
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t('trace.save')}
      </Button>
    </>
  );
}

type Missing = (typeof traceMissing)[number];

const empty = {
  'trace-off': { title: 'trace.offTitle', text: 'trace.off' },
  'trace-expired': { title: 'trace.expiredTitle', text: 'trace.expired' },
  'trace-none': { title: 'trace.noneTitle', text: 'trace.none' },
} as const satisfies Record<Missing, object>;

function getMissingReason(error: unknown): Missing | undefined {
  const code = error instanceof Problem ? error.issues?.[0]?.code : undefined;
  return code !== undefined && Object.hasOwn(empty, code) ? (code as Missing) : undefined;
}

function PanelSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('state.loading')}>
      <Skeleton height={64} radius={8} />
      <Skeleton height={36} mt={20} radius={8} />
      <Skeleton height={180} mt={28} radius={8} />
    </div>
  );
}

interface TraceSummaryProps {
  trace: Trace;
  modelName: (id: string) => string;
}

/** Key figures of the answer. */
function TraceSummary({ trace, modelName }: TraceSummaryProps) {
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
