import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIsSignedOut } from '../../features/account/use-me.ts';
import classes from './made-password-bar.module.css';

/** Shows a guest that this is not what they see when they are signed in, as they were. */
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
