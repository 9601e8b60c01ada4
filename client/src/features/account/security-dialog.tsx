import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionList } from './session-list.tsx';
import { useMe } from './use-me.ts';

/**
 * Security of the user's own account: two-factor authentication and active sessions. Users of an identity
 * provider have their second factor there.
 */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const me = useMe().data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.security')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      {me && me.signsInWith === undefined && <SecondFactorPart />}
      <SessionList />
    </Modal>
  );
}
