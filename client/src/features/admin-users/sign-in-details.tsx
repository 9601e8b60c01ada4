import { useTranslation } from 'react-i18next';
import classes from './audit-list.module.css';

/** What the log keeps of a sign-in: from where, and of one that was refused why and how often. */
export function SignInDetails({ facts }: { facts: unknown }) {
  const { t } = useTranslation();
  const { address, reason, attempts } = (facts ?? {}) as Record<string, unknown>;
  const parts = [
    typeof address === 'string' && t('audit.signIn.from', { address }),
    typeof reason === 'string' && (isKnown(reason) ? t(reasons[reason]) : reason),
    typeof attempts === 'number' && attempts > 1 && t('audit.signIn.attempts', { count: attempts }),
  ];
  return <p className={classes.details}>{parts.filter(Boolean).join(' · ')}</p>;
}

const reasons = {
  'wrong-credentials': 'audit.signIn.wrong',
  'too-many-requests': 'audit.signIn.tooMany',
  'password-expired': 'audit.signIn.expired',
  several: 'audit.signIn.several',
} as const;

function isKnown(reason: string): reason is keyof typeof reasons {
  return Object.hasOwn(reasons, reason);
}
