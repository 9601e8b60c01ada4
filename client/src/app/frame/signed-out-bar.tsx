import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIsSignedOut } from '../../features/account/use-me.ts';
import classes from './temporary-password-bar.module.css';

/** Tells a signed-out user that this is the guest view. */
export function SignedOutBar() {
  const { t } = useTranslation();
  return (
    useIsSignedOut() && (
      <div className={classes.bar} role="alert">
        <span>{t('account.signedOut')}</span>
        <Button component={Link} to="/login" variant="default" size="compact-sm">
          {t('account.signIn')}
        </Button>
      </div>
    )
  );
}
