import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addAccountTexts } from '../../i18n/add-account-texts.ts';
import { SessionList } from './session-list.tsx';

/** How safe the own account is: where somebody is signed in with it. */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  useState(() => addAccountTexts(i18n));
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.security')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      <SessionList />
    </Modal>
  );
}
