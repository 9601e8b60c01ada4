import '@mantine/core/styles/Switch.layer.css';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import { MailSwitch } from './mail-switch.tsx';
import {
  type NoticeSettings,
  noticePermission,
  noticeSettings,
  storeNoticeSettings,
} from './notice-settings.ts';
import classes from './notices-dialog.module.css';

/** Settings for notifications of the browser and for e-mail. The browser asks for permission only when they are switched on here. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [permission, setPermission] = useState(noticePermission);
  const [settings, setSettings] = useState(noticeSettings);
  const isAllowed = permission === 'granted';
  const isOn = settings.isOn && isAllowed;

  function keep(changed: NoticeSettings) {
    storeNoticeSettings(changed);
    setSettings(changed);
  }

  async function switchOn(wanted: boolean) {
    const answer = wanted && !isAllowed ? await Notification.requestPermission() : permission;
    setPermission(answer);
    keep({ ...settings, isOn: wanted && answer === 'granted' });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.notices')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <SwitchRow
        label={t('notices.on')}
        text={t('notices.onAbout')}
        checked={isOn}
        disabled={permission === 'unsupported'}
        onChange={(wanted) => void switchOn(wanted)}
      />
      <SwitchRow
        label={t('notices.withTitle')}
        text={t('notices.withTitleAbout')}
        checked={isOn && settings.withTitle}
        disabled={!isOn}
        onChange={(withTitle) => keep({ ...settings, withTitle })}
      />
      {permission === 'denied' && (
        <p className={classes.note} role="alert">
          {t('notices.denied')}
        </p>
      )}
      {permission === 'unsupported' && <p className={classes.note}>{t('notices.unsupported')}</p>}
      <MailSwitch />
    </Modal>
  );
}
