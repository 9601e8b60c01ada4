import { Problem, type ProblemCode } from '@knowhow/shared/problem';
import { useTranslation } from 'react-i18next';
import { Unreachable } from '../../api/unreachable.ts';
import { NotLoaded } from '../loading/load-code.ts';

export interface ErrorText {
  /** What happened, in the reader's language. */
  title: string;
  /** The server's details; empty if they add nothing. */
  detail: string;
}

/** Returns the texts of an error, or of an error event with code and message. */
export function useErrorText(): (error: unknown) => ErrorText {
  const { t } = useTranslation();
  return (error) => {
    if (error instanceof NotLoaded) {
      return { title: t('problem.notLoaded'), detail: t('problem.notLoadedDetail') };
    }
    if (error instanceof Unreachable) {
      return { title: t('problem.unreachable'), detail: '' };
    }
    const { code, detail } = getCodeAndDetail(error);
    const title = t(Object.hasOwn(titles, code) ? titles[code as ProblemCode] : 'problem.internal');
    return { title, detail: saysAll.has(code) ? '' : detail };
  };
}

function getCodeAndDetail(error: unknown): { code: string; detail: string } {
  if (error instanceof Problem) {
    const issue = error.issues?.[0]?.message;
    return { code: error.code, detail: issue ?? error.message };
  }
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    return { code: String(error.code), detail: String(error.message) };
  }
  return { code: 'internal', detail: '' };
}

/** Problems to whose text the server's message adds nothing. */
const saysAll = new Set([
  'internal',
  'model-empty',
  'not-signed-in',
  'turn-running',
  'turn-unread',
  'wrong-credentials',
]);

const titles = {
  'bad-request': 'problem.badRequest',
  'invalid-request': 'problem.badRequest',
  'not-signed-in': 'problem.notSignedIn',
  'wrong-credentials': 'problem.wrongCredentials',
  'password-expired': 'problem.passwordExpired',
  'second-factor-required': 'problem.notSignedIn',
  'wrong-code': 'problem.wrongCredentials',
  forbidden: 'problem.forbidden',
  'foreign-origin': 'problem.forbidden',
  'not-found': 'problem.notFound',
  'turn-running': 'problem.turnRunning',
  'turn-unread': 'problem.turnUnread',
  conflict: 'problem.conflict',
  'name-taken': 'problem.nameTaken',
  'read-only': 'problem.readOnly',
  'upload-expired': 'problem.badRequest',
  'changed-meanwhile': 'problem.changedMeanwhile',
  'invalid-archive': 'problem.invalidArchive',
  'invalid-skill': 'problem.invalidSkill',
  'not-writable': 'problem.notWritable',
  'too-large': 'problem.tooLarge',
  'unsupported-type': 'problem.badRequest',
  'wrong-method': 'problem.badRequest',
  'too-many-requests': 'problem.tooManyRequests',
  'quota-used-up': 'problem.quotaUsedUp',
  internal: 'problem.internal',
  'not-ready': 'problem.unreachable',
  'too-slow': 'problem.unreachable',
  'model-unavailable': 'problem.modelUnavailable',
  'model-unauthorized': 'problem.modelUnauthorized',
  'model-not-found': 'problem.modelNotFound',
  'model-rate-limited': 'problem.modelRateLimited',
  'model-unreachable': 'problem.modelUnreachable',
  'model-interrupted': 'problem.modelInterrupted',
  'model-garbage': 'problem.modelGarbage',
  'model-empty': 'problem.modelEmpty',
  'model-refused': 'problem.modelRefused',
  'model-context-full': 'problem.modelContextFull',
  'model-too-large': 'problem.modelTooLarge',
  'model-failed': 'problem.modelFailed',
} as const satisfies Record<ProblemCode, string>;
