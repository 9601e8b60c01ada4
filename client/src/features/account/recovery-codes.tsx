import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TextBlock } from '../../ui/text/text-block.tsx';
import list from './account-list.module.css';
import classes from './api-keys-dialog.module.css';

/** The codes for whoever has lost their app: the only time that anybody sees them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <TextBlock label={t('secondFactor.recoveryCodes')} text={codes.join('\n')} />
      <p className={list.about}>{t('secondFactor.recoveryAbout')}</p>
      <div className={classes.actions}>
        <Button onClick={onDone} autoFocus>
          {t('apiKeys.copied')}
        </Button>
      </div>
    </div>
  );
}
