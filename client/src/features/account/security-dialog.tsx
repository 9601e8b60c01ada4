import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addAccountTexts } from '../../i18n/add-account-texts.ts';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionList } from './session-list.tsx';

/** How safe the own account is: what is asked for at the sign-in, and where somebody is signed in. */
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
      <SecondFactorPart />
      <SessionList />
    </Modal>
  );
}
