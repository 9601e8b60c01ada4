import type { Me } from '@knowhow/shared/auth';
import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { SignInForm } from '../features/account/sign-in-form.tsx';
import { useIsSignedOut } from '../features/account/use-me.ts';
import { Brand } from './brand.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import classes from './sign-in-page.module.css';

export function SignInPage({ me }: { me: Me }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isSignedOut = useIsSignedOut();
  const isOwnPage = pathname === '/login';
  useDocumentTitle(`${t('account.signIn')} · Knowhow`);

  if (!me.anonymous && isOwnPage) {
    return <Navigate to="/" replace />;
  }
  return (
    <div className={classes.page}>
      <ConnectionBar />
      <main className={classes.main}>
        <Brand />
        <h1>{t('account.signIn')}</h1>
        {isSignedOut && <p role="alert">{t('account.signedOut')}</p>}
        <SignInForm onSignedIn={() => isOwnPage && navigate('/', { replace: true })} />
        {me.mayChat && (
          <Button component={Link} to="/" variant="subtle" fullWidth>
            {t('account.asGuest')}
          </Button>
        )}
      </main>
    </div>
  );
}
