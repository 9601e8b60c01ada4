import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addAccountTexts } from '../../i18n/add-account-texts.ts';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionList } from './session-list.tsx';
import { useMe } from './use-me.ts';

/**
 * How safe the own account is: what is asked for at the sign-in, and where somebody is signed in. What is asked of those
 * who sign in elsewhere is asked there.
 */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  useState(() => addAccountTexts(i18n));
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
