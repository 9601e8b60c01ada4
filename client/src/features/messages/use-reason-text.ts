import type { CallReason } from '@knowhow/shared/chat/call-reason';
import { useTranslation } from 'react-i18next';

/** Returns a localized reason for a call's result; an unknown reason is returned unchanged. */
export function useReasonText(): (summary: string) => string {
  const { t } = useTranslation();
  return (summary) =>
    Object.hasOwn(reasons, summary) ? t(reasons[summary as CallReason]) : summary;
}

const reasons = {
  'already active': 'tool.reason.alreadyActive',
  'arguments too long': 'tool.reason.tooLong',
  'called before': 'tool.reason.calledBefore',
  'cannot be read': 'tool.reason.unreadable',
  'no such category': 'tool.reason.noCategory',
  'no such file': 'tool.reason.noFile',
  'no such page': 'tool.reason.noPage',
  'no such tool': 'tool.reason.noTool',
  failed: 'tool.reason.failed',
  'not active': 'tool.reason.notActive',
  'not allowed': 'tool.reason.notAllowed',
  'not signed in': 'tool.reason.notSignedIn',
  stopped: 'tool.reason.stopped',
  'took too long': 'tool.reason.tookTooLong',
  'not available': 'tool.reason.notAvailable',
  'nothing found': 'tool.reason.nothing',
  'too many active skills': 'tool.reason.tooMany',
  'too many calls': 'tool.reason.tooManyCalls',
  'wrong arguments': 'tool.reason.arguments',
} as const satisfies Record<CallReason, string>;
