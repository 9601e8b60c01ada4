import type { Me } from '@knowhow/shared/access/auth';
import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { SignInWays } from '../features/account/sign-in-ways.tsx';
import { useIsSignedOut } from '../features/account/use-me.ts';
import { Brand } from './frame/brand.tsx';
import { ConnectionBar } from './frame/connection-bar.tsx';
import classes from './sign-in-page.module.css';

export function SignInPage({ me }: { me: Me }) {
  const { t } = useTranslation();
  const { pathname, search, hash } = useLocation();
  const [wanted] = useSearchParams();
  const navigate = useNavigate();
  const isSignedOut = useIsSignedOut();
  const isOwnPage = pathname === '/login';
  const returnTo = isOwnPage ? toLocalPath(wanted.get('returnTo')) : pathname + search + hash;
  useDocumentTitle(`${t('account.signIn')} · Knowhow`);

  if (!me.anonymous && isOwnPage) {
    return <Navigate to={returnTo} replace />;
  }
  return (
    <div className={classes.page}>
      <ConnectionBar />
      <main className={classes.main}>
        <Brand />
        <h1>{t('account.signIn')}</h1>
        {isSignedOut && <p role="alert">{t('account.signedOut')}</p>}
        <SignInWays
          returnTo={returnTo}
          onSignedIn={() => isOwnPage && navigate(returnTo, { replace: true })}
        />
        {me.mayChat && (
          <Button component={Link} to="/" variant="subtle" fullWidth>
            {t('account.asGuest')}
          </Button>
        )}
      </main>
    </div>
  );
}

/** Accepts only paths of our own origin (open redirect). */
function toLocalPath(wanted: string | null): string {
  return wanted !== null && /^\/(?![/\\])/.test(wanted) && !wanted.startsWith('/login')
    ? wanted
    : '/';
}
