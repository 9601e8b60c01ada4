import { severalTargets } from '@knowhow/shared/config/admin';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import classes from './audit-list.module.css';

/** The data that was read, or the method and route that were denied. */
export function AccessTarget({ target }: { target: string }) {
  const { t } = useTranslation();
  if (target === severalTargets) {
    return null;
  }
  return isKnown(targets, target) ? <strong>{t(targets[target])}</strong> : <code>{target}</code>;
}

/** Why access was denied, from which address, and how often. */
export function DenialDetails({ facts }: { facts: unknown }) {
  const { t } = useTranslation();
  const { address, reason, attempts, reasons = {} } = factsSchema.safeParse(facts).data ?? {};
  const textOf = (code: string) => (isKnown(denials, code) ? t(denials[code]) : code);
  const counted = Object.entries(reasons).map(([code, count]) =>
    t('audit.denied.counted', { reason: textOf(code), count }),
  );
  const parts = [
    address === severalTargets && t('audit.denied.severalAddresses'),
    address !== undefined && address !== severalTargets && t('audit.signIn.from', { address }),
    reason !== undefined && textOf(reason),
    attempts !== undefined && t('audit.denied.more', { count: attempts }),
    ...counted,
  ];
  return <p className={classes.details}>{parts.filter(Boolean).join(' · ')}</p>;
}

const factsSchema = z.object({
  address: z.string().optional(),
  reason: z.string().optional(),
  attempts: z.number().optional(),
  reasons: z.record(z.string(), z.number()).optional(),
});

const targets = {
  users: 'audit.access.users',
  usage: 'audit.access.usage',
  invitations: 'audit.access.invitations',
  feedback: 'audit.access.feedback',
  analytics: 'audit.access.analytics',
  'shared-prompts': 'audit.access.sharedPrompts',
} as const;

const denials = {
  'not-signed-in': 'audit.denied.reasons.notSignedIn',
  'wrong-credentials': 'audit.denied.reasons.wrongCredentials',
  'password-expired': 'audit.denied.reasons.passwordExpired',
  'wrong-code': 'audit.denied.reasons.wrongCode',
  forbidden: 'audit.denied.reasons.forbidden',
  'foreign-origin': 'audit.denied.reasons.foreignOrigin',
  'not-found': 'audit.denied.reasons.notFound',
  'too-many-requests': 'audit.denied.reasons.tooMany',
  'quota-used-up': 'audit.denied.reasons.quota',
} as const;

function isKnown<Names extends object>(names: Names, name: string): name is string & keyof Names {
  return Object.hasOwn(names, name);
}
