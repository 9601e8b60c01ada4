import { type SignInError, signInErrors } from '@knowhow/shared/access/oidc';
import { type AuditEntry, severalTargets } from '@knowhow/shared/config/admin';
import { findUndoable } from '@knowhow/shared/skills/skill-bulk';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { z } from 'zod';
import { Expander } from '../../ui/layout/expander.tsx';
import { useRight } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './audit-list.module.css';
import { type ChangedField, changedFields } from './changed-fields.ts';
import { UndoBulk } from './undo-bulk.tsx';

/** Details of a sign-in: address; for a denied one also reason and count. */
function SignInDetails({ facts }: { facts: unknown }) {
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

/** One audit entry: actor, action, target, time and changes. */
export function AuditRow({ entry, kindName }: { entry: AuditEntry; kindName: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { action, kind, userName, at } = entry;
  const words = auditActions.get(action);
  const isDenial = action.startsWith('access-denied');
  const fields = changedFields(entry.before, entry.after);
  const change = findUndoable(entry);
  const mayUndo = useRight('skills');

  return (
    <li className={classes.entry}>
      <div className={classes.deed}>
        <span className={classes.what}>
          {(entry.target !== severalTargets || isDenial) && kindName} <Target entry={entry} />
        </span>
        <span>
          {words ? t(words) : action}
          {undoSchema.safeParse(entry.after).success && ` (${t('audit.undo.isUndo')})`}
        </span>
        <span>{userName}</span>
        <time className={classes.when} dateTime={at} title={format.exactDate(at)}>
          {format.relativeDate(at)}
        </time>
      </div>
      {mayUndo && change && <UndoBulk entry={entry} change={change} />}
      {kind === 'session' && <SignInDetails facts={entry.after} />}
      {isDenial && <DenialDetails facts={entry.after} />}
      {kind !== 'session' && !isDenial && fields.length > 0 && (
        <Expander summary={t('audit.changes', { count: fields.length })}>
          <dl className={classes.fields}>
            {fields.map((field) => (
              <FieldChange key={field.path} field={field} />
            ))}
          </dl>
        </Expander>
      )}
    </li>
  );
}

function Target({ entry: { kind, target, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const page = pageOf[kind];
  if (kind === 'access') {
    return <AccessTarget target={target} />;
  }
  if (target === severalTargets) {
    const count = severalSchema.safeParse(after).data?.skills.length ?? 0;
    return <strong>{t('audit.several', { count })}</strong>;
  }
  return page ? <Link to={page(target)}>{target}</Link> : <strong>{target}</strong>;
}

/** An entry about the undo of a bulk change: when that was made. */
const undoSchema = z.object({ undoes: z.string() });

/** Summary of an entry about several skills. */
const severalSchema = z.object({ skills: z.array(z.string()) });

function FieldChange({ field: { path, before, after } }: { field: ChangedField }) {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{path || t('audit.whole')}</dt>
      {before !== undefined && (
        <dd>
          <span>{t('audit.before')}</span>
          <pre>{formatAuditValue(before)}</pre>
        </dd>
      )}
      {after !== undefined && (
        <dd>
          <span>{t('audit.after')}</span>
          <pre>{formatAuditValue(after)}</pre>
        </dd>
      )}
    </div>
  );
}

function formatAuditValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Link to the target; users and backups have no page. */
const pageOf: Partial<Record<AuditEntry['kind'], (target: string) => string>> = {
  skill: (target) => `/admin/skills/${encodeURIComponent(target)}`,
  app: (target) => `/admin/apps/${encodeURIComponent(target)}`,
  group: (target) => `/admin/groups/${encodeURIComponent(target)}`,
  model: (target) => `/admin/models/${encodeURIComponent(target)}`,
  prompt: (target) => `/admin/prompts/${encodeURIComponent(target)}`,
};

/** The data that was read, or the method and route that were denied. */
function AccessTarget({ target }: { target: string }) {
  const { t } = useTranslation();
  if (target === severalTargets) {
    return null;
  }
  return isKnownSource(targets, target) ? (
    <strong>{t(targets[target])}</strong>
  ) : (
    <code>{target}</code>
  );
}

/** Why access was denied, from which address, and how often. */
function DenialDetails({ facts }: { facts: unknown }) {
  const { t } = useTranslation();
  const { address, reason, attempts, reasons = {} } = factsSchema.safeParse(facts).data ?? {};
  const textOf = (code: string) => (isKnownSource(denials, code) ? t(denials[code]) : code);
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

function isKnownSource<Names extends object>(
  names: Names,
  name: string,
): name is string & keyof Names {
  return Object.hasOwn(names, name);
}

/** Labels of the server's action names. */
const words = {
  create: 'audit.actions.created',
  created: 'audit.actions.created',
  update: 'audit.actions.changed',
  delete: 'audit.actions.deleted',
  deleted: 'audit.actions.deleted',
  'reset-password': 'audit.actions.passwordReset',
  'password-changed': 'audit.actions.passwordChanged',
  'sign-in-moved': 'audit.actions.signInMoved',
  'mail-address': 'audit.actions.mailAddress',
  'mail-test': 'audit.actions.mailTest',
  'signed-in': 'audit.actions.signedIn',
  'signed-out': 'audit.actions.signedOut',
  'key-entered': 'audit.actions.keyEntered',
  'key-removed': 'audit.actions.keyRemoved',
  invited: 'audit.actions.invited',
  'invitation-refused': 'audit.actions.invitationRefused',
  'invitation-revoked': 'audit.actions.invitationRevoked',
  ended: 'audit.actions.sessionEnded',
  'ended-others': 'audit.actions.otherSessionsEnded',
  'second-factor-on': 'audit.actions.factorOn',
  'second-factor-off': 'audit.actions.factorOff',
  'recovery-codes-renewed': 'audit.actions.codesRenewed',
  'sign-in-refused': 'audit.actions.signInRefused',
  'access-denied': 'audit.actions.accessDenied',
  'access-denied-more': 'audit.actions.accessDeniedMore',
  read: 'audit.actions.read',
  'tried-as': 'audit.actions.triedAs',
  export: 'audit.actions.exported',
  tested: 'audit.actions.tested',
  shared: 'audit.actions.shared',
  revoked: 'audit.actions.revoked',
  'settings-changed': 'audit.actions.settingsChanged',
  'switched-on': 'audit.actions.switchedOn',
  'switched-off': 'audit.actions.switchedOff',
  blocked: 'audit.actions.blocked',
  'block-changed': 'audit.actions.blockChanged',
  'owner-changed': 'audit.actions.ownerChanged',
  'review-date-changed': 'audit.actions.reviewDateChanged',
  previewed: 'audit.actions.previewed',
  'preview-ended': 'audit.actions.previewEnded',
  unblocked: 'audit.actions.unblocked',
  'plugin-changed': 'audit.actions.pluginChanged',
  'plugin-deleted': 'audit.actions.pluginDeleted',
  'file-written': 'audit.actions.fileWritten',
  'file-removed': 'audit.actions.fileRemoved',
  'file-moved': 'audit.actions.fileMoved',
  fixed: 'audit.actions.fixed',
  'fields-changed': 'audit.actions.fieldsChanged',
  'triggers-tested': 'audit.actions.triggersTested',
  'trace-read': 'audit.actions.traceRead',
  // Stored by earlier releases.
  mended: 'audit.actions.fixed',
  merged: 'audit.actions.merged',
  kept: 'audit.actions.kept',
  detached: 'audit.actions.detached',
  followed: 'audit.actions.followed',
  'proposed-upstream': 'audit.actions.proposedUpstream',
  imported: 'audit.actions.imported',
  duplicated: 'audit.actions.duplicated',
  restored: 'audit.actions.restored',
  purged: 'audit.actions.purged',
  'skill-shared': 'audit.actions.skillShared',
  'skill-sharing-ended': 'audit.actions.skillSharingEnded',
  published: 'audit.actions.published',
  'draft-discarded': 'audit.actions.draftDiscarded',
  'folder-edit-discarded': 'audit.actions.folderEditDiscarded',
  'review-submitted': 'audit.actions.reviewSubmitted',
  'review-approved': 'audit.actions.reviewApproved',
  'review-returned': 'audit.actions.reviewReturned',
  'review-withdrawn': 'audit.actions.reviewWithdrawn',
  assigned: 'audit.actions.assigned',
  unassigned: 'audit.actions.unassigned',
} as const;

type Words = (typeof words)[keyof typeof words];

/** An unknown, newer action keeps its name. */
const auditActions: ReadonlyMap<string, Words> = new Map(Object.entries(words));
