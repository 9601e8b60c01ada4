import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { TextBlock } from '../../ui/text/text-block.tsx';
import list from './account-list.module.css';
import classes from './api-keys-dialog.module.css';
import type { MadeKey } from './new-api-key.tsx';

interface ShownApiKeyProps {
  made: MadeKey;
  onDone: () => void;
}

/** A new key: the only time that anybody sees it. */
export function ShownApiKey({ made, onDone }: ShownApiKeyProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <TextBlock label={t('apiKeys.made', { name: made.details.name })} text={made.key} />
      <p className={list.about}>{t('apiKeys.once')}</p>
      <div className={classes.actions}>
        <Button onClick={onDone} data-autofocus>
          {t('apiKeys.copied')}
        </Button>
      </div>
    </div>
  );
}
