import { Kbd, Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './keys-dialog.module.css';

/** The keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const command = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : t('keys.ctrl');
  const shift = t('keys.shift');
  const rows: [keys: string[], does: string][] = [
    [[command, 'K'], t('keys.search')],
    [[command, shift, 'O'], t('action.newConversation')],
    [['/'], t('keys.palette')],
    [['Enter'], t('keys.send')],
    [[shift, 'Enter'], t('keys.break')],
    [['Esc'], t('keys.close')],
    [['?'], t('keys.title')],
  ];
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <dl className={classes.keys}>
        {rows.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
