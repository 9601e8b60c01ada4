import { Suspense } from 'react';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';

const TracePanel = lazyPart(
  async () => (await import('../../features/trace/trace-panel.tsx')).TracePanel,
  LostDialog,
);

interface TraceDialogProps {
  /** The answer to inspect; undefined while closed. */
  messageId: string | undefined;
  modelName: (id: string) => string;
  onClose: () => void;
}

/** Shows the trace of an answer, loaded on demand. */
export function TraceDialog({ messageId, ...rest }: TraceDialogProps) {
  useFocusBack(messageId !== undefined);
  return (
    <Suspense>{messageId !== undefined && <TracePanel messageId={messageId} {...rest} />}</Suspense>
  );
}
