import type { ToolCall } from '@knowhow/shared/chat/conversations';
import { Skeleton } from '@mantine/core';
import { IconLoader2, IconTool } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../../ui/layout/expander.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useToolLabel } from '../../../ui/text/use-tool-label.ts';
import lines from '../tool-call-line.module.css';
import { useReasonText } from '../use-reason-text.ts';
import type { SourceCallProps } from './call-props.ts';

const CallDetails = lazyPart(async () => (await import('./call-details.tsx')).CallDetails);
const CallFiles = lazyPart(async () => (await import('./call-files.tsx')).CallFiles);
const WaitingCard = lazyPart(async () => (await import('./waiting-card.tsx')).WaitingCard);

/** A collapsible line for a tool call; expanded, it shows arguments and result. */
export function SourceCallLine({ call, at }: SourceCallProps) {
  const { isRunning, waitsFor } = call;
  return (
    <>
      <Expander
        icon={
          isRunning && !waitsFor ? (
            <IconLoader2 className={lines.turning} size={15} aria-hidden />
          ) : (
            <IconTool size={15} aria-hidden />
          )
        }
        summary={<LineText call={call} />}
      >
        <Suspense fallback={<Skeleton height={120} />}>
          <CallDetails call={call} at={at} />
        </Suspense>
      </Expander>
      {call.files && (
        <Suspense fallback={<Skeleton height={24} />}>
          <CallFiles files={call.files} />
        </Suspense>
      )}
      {waitsFor && (
        <Suspense fallback={<Skeleton height={180} />}>
          <WaitingCard waitsFor={waitsFor} />
        </Suspense>
      )}
    </>
  );
}

/** A decision of the user is not an error of the tool. */
const decided: ReadonlySet<string> = new Set(['not allowed', 'stopped']);

const waitingTexts = {
  consent: 'tool.waits.consent',
  question: 'tool.waits.question',
} as const;

function LineText({ call }: { call: ToolCall }) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const reasonText = useReasonText();
  const { error, ms, summary } = call;
  const { title: tool, source } = useToolLabel()({ ...call, title: call.title ?? call.name });
  const name = error && !decided.has(summary) ? t('tool.failed', { tool }) : tool;
  const ended = error && summary !== 'failed' ? reasonText(summary) : '';
  const waits = call.waitsFor && t(waitingTexts[call.waitsFor.type]);
  const state = call.isRunning ? (waits ?? call.progress) : ended;
  const time = call.isRunning || !ms ? '' : duration(ms);
  const rest = [source, state, time].filter(Boolean).join(' · ');
  return (
    <span className={lines.parts}>
      <span>{name}</span> {rest && <span>· {rest}</span>}
    </span>
  );
}
