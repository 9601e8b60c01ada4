import { Problem } from '@knowhow/shared/problem';

/** The text for what is wrong with a chosen password or user name; undefined for every other error. */
export function accountFault(error: unknown) {
  const issue = error instanceof Problem ? error.issues?.[0] : undefined;
  if (issue?.path === 'password' && Object.hasOwn(passwordFaults, issue.code)) {
    return passwordFaults[issue.code as keyof typeof passwordFaults];
  }
  return issue?.path === 'username' ? 'problem.username' : undefined;
}

const passwordFaults = {
  too_small: 'account.passwordTooShort',
  'too-short': 'account.passwordTooShort',
  common: 'account.passwordCommon',
  context: 'account.passwordIsName',
  unchanged: 'account.passwordUnchanged',
} as const;
