import { Problem, type ProblemCode } from '@knowhow/shared/problem';
import { useTranslation } from 'react-i18next';
import { Unreachable } from '../../api/unreachable.ts';
import { NotLoaded } from '../loading/load-chunk.ts';
import { accountFault } from './account-fault.ts';
import { useFormat } from './use-format.ts';

export interface ErrorText {
  /** What happened, in the reader's language. */
  title: string;
  /** More about it, in the reader's language; empty if there is nothing more to say. */
  detail: string;
  /** The server's English message, for a reader of another language; empty if `title` and `detail` already say it. */
  original: string;
}

/** Returns the texts of an error, or of an error event with code and message. */
export function useErrorText(): (error: unknown) => ErrorText {
  const { t, i18n } = useTranslation();
  const { relativeTime } = useFormat();
  return (error) => {
    if (error instanceof NotLoaded) {
      const detail = t('problem.notLoadedDetail');
      return { title: t('problem.notLoaded'), detail, original: '' };
    }
    if (error instanceof Unreachable) {
      return { title: t('problem.unreachable'), detail: '', original: '' };
    }
    const { code, message } = getCodeAndMessage(error);
    const title = t(Object.hasOwn(titles, code) ? titles[code as ProblemCode] : 'problem.internal');
    const isEnglish = i18n.language === 'en';
    const retryAfter = error instanceof Problem ? error.retryAfter : undefined;
    const fault = accountFault(error);
    if (fault) {
      return { title, detail: t(fault), original: '' };
    }
    if (saysAll.has(code) || (!isEnglish && saysEnough.has(code))) {
      return { title, detail: '', original: '' };
    }
    if (retryAfter !== undefined && (saysWhen.has(code) || !isEnglish)) {
      const time = relativeTime(retryAfter);
      return { title, detail: t('problem.retryAt', { time }), original: '' };
    }
    return isEnglish
      ? { title, detail: message, original: '' }
      : { title, detail: '', original: message };
  };
}

function getCodeAndMessage(error: unknown): { code: string; message: string } {
  if (error instanceof Problem) {
    const issue = error.issues?.[0]?.message;
    return { code: error.code, message: issue ?? error.message };
  }
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    return { code: String(error.code), message: String(error.message) };
  }
  return { code: 'internal', message: '' };
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

/** Problems to which the server's words add only what a reader of another language can do without. */
const saysEnough = new Set([
  'foreign-origin',
  'name-taken',
  'password-expired',
  'second-factor-required',
  'too-slow',
  'upload-expired',
  'wrong-code',
]);

/** Problems that are over after the time of `Retry-After`. */
const saysWhen = new Set(['too-many-requests', 'not-ready']);

const titles = {
  'bad-request': 'problem.badRequest',
  'invalid-request': 'problem.badRequest',
  'not-signed-in': 'problem.notSignedIn',
  'wrong-credentials': 'problem.wrongCredentials',
  'password-expired': 'problem.passwordExpired',
  'second-factor-required': 'problem.notSignedIn',
  'wrong-code': 'problem.wrongCode',
  forbidden: 'problem.forbidden',
  'foreign-origin': 'problem.forbidden',
  'not-found': 'problem.notFound',
  'turn-running': 'problem.turnRunning',
  'turn-unread': 'problem.turnUnread',
  conflict: 'problem.conflict',
  'name-taken': 'problem.nameTaken',
  'read-only': 'problem.readOnly',
  'upload-expired': 'problem.uploadExpired',
  'changed-meanwhile': 'problem.changedMeanwhile',
  'precondition-required': 'problem.changedMeanwhile',
  'invalid-archive': 'problem.invalidArchive',
  'invalid-skill': 'problem.invalidSkill',
  'git-failed': 'problem.gitFailed',
  'skill-blocked': 'problem.skillBlocked',
  'review-required': 'problem.reviewRequired',
  'check-failed': 'problem.checkFailed',
  'not-writable': 'problem.notWritable',
  'too-large': 'problem.tooLarge',
  'unsupported-type': 'problem.unsupportedType',
  'wrong-method': 'problem.badRequest',
  'too-many-requests': 'problem.tooManyRequests',
  'quota-used-up': 'problem.quotaUsedUp',
  internal: 'problem.internal',
  'not-ready': 'problem.notReady',
  'too-slow': 'problem.tooSlow',
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
