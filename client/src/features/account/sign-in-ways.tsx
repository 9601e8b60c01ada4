import { oidcApi, type SignInError, signInErrors } from '@knowhow/shared/access/oidc';
import { Button, Skeleton } from '@mantine/core';
import { IconAlertCircle, IconLogin2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { query } from '../../api/query.ts';
import noteClasses from '../../ui/text/error-note.module.css';
import classes from './sign-in-form.module.css';
import { SignInForm } from './sign-in-form.tsx';

interface SignInWaysProps {
  /** A path of our own, to return to from the identity provider. */
  returnTo: string;
  /** Called after signing in with a password. */
  onSignedIn: () => void;
}

/** All sign-in options: providers and password, and why a provider sign-in failed. */
export function SignInWays({ returnTo, onSignedIn }: SignInWaysProps) {
  const { t } = useTranslation();
  const ways = useQuery({ ...query(oidcApi.ways, {}), staleTime: 0 });
  if (ways.isPending) {
    return <Skeleton height={172} />;
  }
  // If the list of providers cannot be loaded, a password may still work.
  const { password, providers } = ways.data ?? { password: true, providers: [] };
  return (
    <div className={classes.ways}>
      <ComeBackNote titles={new Map(providers.map(({ name, title }) => [name, title]))} />
      {providers.map(({ name, title }) => (
        <Button
          key={name}
          component="a"
          href={getSignInUrl(name, returnTo)}
          variant="default"
          fullWidth
          leftSection={<IconLogin2 size={17} aria-hidden />}
          classNames={{ root: classes.provider, label: classes.label }}
        >
          {t('signIn.with', { title })}
        </Button>
      ))}
      {password && providers.length > 0 && <p className={classes.or}>{t('signIn.or')}</p>}
      {password && <SignInForm onSignedIn={onSignedIn} isFirst={providers.length === 0} />}
      {!password && providers.length === 0 && <p>{t('signIn.unavailable')}</p>}
    </div>
  );
}

function getSignInUrl(name: string, returnTo: string): string {
  const address = oidcApi.begin.path.replace(':provider', encodeURIComponent(name));
  return `${address}?${new URLSearchParams({ returnTo })}`;
}

/** Why a user who returned from a provider was not signed in. */
function ComeBackNote({ titles }: { titles: Map<string, string> }) {
  const { t } = useTranslation();
  const [found] = useSearchParams();
  const error = found.get('error');
  if (error === null) {
    return null;
  }
  const title = titles.get(found.get('provider') ?? '') ?? t('account.signIn');
  return (
    <div className={noteClasses.note} role="alert">
      <IconAlertCircle className={noteClasses.icon} size={18} aria-hidden />
      <div className={noteClasses.text}>
        <p className={noteClasses.title}>{t('signIn.failed')}</p>
        <p className={noteClasses.detail}>
          {t(isKnown(error) ? errorTexts[error] : 'signIn.errors.other', { title })}
        </p>
      </div>
    </div>
  );
}

const errorTexts = {
  cancelled: 'signIn.errors.cancelled',
  'provider-down': 'signIn.errors.provider-down',
  'not-begun': 'signIn.errors.not-begun',
  'not-trusted': 'signIn.errors.not-trusted',
  'not-allowed': 'signIn.errors.not-allowed',
  'no-account': 'signIn.errors.no-account',
  disabled: 'signIn.errors.disabled',
  claims: 'signIn.errors.claims',
} as const satisfies Record<SignInError, string>;

function isKnown(error: string): error is SignInError {
  return signInErrors.some((each) => each === error);
}
