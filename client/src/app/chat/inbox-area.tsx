import type { Me } from '@knowhow/shared/access/auth';
import { InboxPage } from '../../features/inbox/inbox-page.tsx';
import { RightsContext } from '../../ui/rights.ts';
import { PageBar } from './page-bar.tsx';

/** The inbox in the frame of the chat. */
export function InboxArea({ me }: { me: Me }) {
  return (
    <RightsContext value={me.adminRights ?? []}>
      <PageBar />
      <InboxPage />
    </RightsContext>
  );
}
