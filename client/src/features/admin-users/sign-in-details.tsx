import { type SignInError, signInErrors } from '@knowhow/shared/access/oidc';
import { useTranslation } from 'react-i18next';
import classes from './audit-list.module.css';

/** Details of a sign-in: address; for a denied one also reason and count. */
export function SignInDetails({ facts }: { facts: unknown }) {
  const { t } = useTranslation();
  const { address, reason, attempts, provider, sessions } = (facts ?? {}) as Record<
    string,
    unknown
  >;
  const parts = [
    typeof address === 'string' && t('audit.signIn.from', { address }),
    typeof provider === 'string' && t('audit.signIn.elsewhere', { provider }),
    typeof reason === 'string' && textOf(reason),
    typeof attempts === 'number' && attempts > 1 && t('audit.signIn.attempts', { count: attempts }),
    typeof sessions === 'number' && t('audit.signIn.sessions', { count: sessions }),
  ];
  return <p className={classes.details}>{parts.filter(Boolean).join(' · ')}</p>;

  function textOf(reason: string): string {
    if (isKnown(reason)) {
      return t(reasons[reason]);
    }
    if (isError(reason)) {
      return t(errorTexts[reason]);
    }
    // Prefixed with a provider: `keycloak: not-begun`.
    const [, elsewhere, error = ''] = /^([^:]+): (.+)$/.exec(reason) ?? [];
    return elsewhere !== undefined && isError(error)
      ? `${t('audit.signIn.elsewhere', { provider: elsewhere })} · ${t(errorTexts[error])}`
      : reason;
  }
}

const reasons = {
  'wrong-credentials': 'audit.signIn.wrong',
  'wrong-code': 'audit.signIn.wrongCode',
  'too-many-requests': 'audit.signIn.tooMany',
  'password-expired': 'audit.signIn.expired',
  several: 'audit.signIn.several',
  'ended-there': 'audit.signIn.endedThere',
  'provider-gone': 'audit.signIn.providerGone',
} as const;

const errorTexts = {
  cancelled: 'audit.signIn.errors.cancelled',
  'provider-down': 'audit.signIn.errors.provider-down',
  'not-begun': 'audit.signIn.errors.not-begun',
  'not-trusted': 'audit.signIn.errors.not-trusted',
  'not-allowed': 'audit.signIn.errors.not-allowed',
  'no-account': 'audit.signIn.errors.no-account',
  disabled: 'audit.signIn.errors.disabled',
  claims: 'audit.signIn.errors.claims',
} as const satisfies Record<SignInError, string>;

function isKnown(reason: string): reason is keyof typeof reasons {
  return Object.hasOwn(reasons, reason);
}

function isError(error: string): error is SignInError {
  return signInErrors.some((each) => each === error);
}
