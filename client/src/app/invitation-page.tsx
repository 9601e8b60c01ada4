import { invitationsApi } from '@knowhow/shared/access/invitations';
import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../api/call.ts';
import { InvitationForm, isInvalidInvitation } from '../features/account/invitation-form.tsx';
import { focusHere } from '../ui/focus/focus-here.ts';
import { ErrorNote } from '../ui/text/error-note.tsx';
import { Brand } from './frame/brand.tsx';
import { NoticePage } from './notice-page.tsx';
import classes from './sign-in-page.module.css';

/** The page on which an invited user creates an account. The token is in the URL fragment. */
export function InvitationPage() {
  const { t } = useTranslation();
  const [token] = useState(() => window.location.hash.slice(1));
  const [isTried, setTried] = useState(false);
  const found = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call(invitationsApi.find, { body: { token: token || '-' } }),
    retry: false,
  });
  const isInvalid = isInvalidInvitation(found.error);
  const title = t(isInvalid ? 'invitation.invalidTitle' : 'invitation.title');
  useDocumentTitle(`${title} · Knowhow`);
  if (isInvalid) {
    return (
      <NoticePage
        title={title}
        text={t('invitation.invalid')}
        headingRef={isTried ? focusHere : undefined}
      >
        <Button component={Link} to="/login">
          {t('account.signIn')}
        </Button>
      </NoticePage>
    );
  }
  return (
    <div className={classes.page}>
      <main className={classes.main}>
        <Brand />
        <h1>{title}</h1>
        {found.error && <ErrorNote error={found.error} onRetry={() => found.refetch()} />}
        {found.data && (
          <InvitationForm
            token={token}
            passwordMinLength={found.data.passwordMinLength}
            onInvalid={() => {
              setTried(true);
              void found.refetch();
            }}
          />
        )}
      </main>
    </div>
  );
}
