import { type Ref, useImperativeHandle } from 'react';
import { useUnsavedWarning } from '../../ui/use-unsaved-warning.tsx';

export interface LeaveGuardHandle {
  /** Lets the next navigation pass without asking. */
  letGo: () => void;
}

/** Asks before the page is left. Each open file has a guard; its URLs count as the same page. */
export function LeaveGuard({ ref }: { ref: Ref<LeaveGuardHandle> }) {
  const { question, letGo } = useUnsavedWarning(true);
  useImperativeHandle(ref, () => ({ letGo }));
  return question;
}
