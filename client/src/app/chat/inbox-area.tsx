import type { Me } from '@knowhow/shared/access/auth';
import { useTranslation } from 'react-i18next';
import { AttentionLink } from '../../features/attention/attention-link.tsx';
import { AttentionPage } from '../../features/attention/attention-page.tsx';
import { InboxPage } from '../../features/inbox/inbox-page.tsx';
import { RightsContext } from '../../ui/rights.ts';
import { PageBar } from './page-bar.tsx';

/** The inbox, and the skills that need attention, in the frame of the chat. */
export function InboxArea({ me, isAttention = false }: { me: Me; isAttention?: boolean }) {
  const { t } = useTranslation();
  return (
    <RightsContext value={me.adminRights ?? []}>
      <PageBar />
      {isAttention ? (
        <AttentionPage back={{ to: '/inbox', label: t('inbox.title') }} />
      ) : (
        <InboxPage actions={<AttentionLink to="/inbox/attention" />} />
      )}
    </RightsContext>
  );
}
