import { type Ref, useImperativeHandle } from 'react';
import { useUnsavedWarning } from '../../ui/use-unsaved-warning.tsx';

export interface LeaveGuardHandle {
  /** The next navigation goes unasked. */
  letGo: () => void;
}

/** Asks before the page is left; one for each open file, whose address counts as the page's own. */
export function LeaveGuard({ ref }: { ref: Ref<LeaveGuardHandle> }) {
  const { question, letGo } = useUnsavedWarning(true);
  useImperativeHandle(ref, () => ({ letGo }));
  return question;
}
