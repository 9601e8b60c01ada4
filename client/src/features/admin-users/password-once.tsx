import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import classes from './user-dialog.module.css';

interface PasswordOnceProps {
  name: string;
  password: string;
  onClose: () => void;
}

/** A generated password, shown only once. */
export function PasswordOnce({ name, password, onClose }: PasswordOnceProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.form} role="status">
      <p className={classes.about}>{t('adminUsers.passwordOnce', { name })}</p>
      <div className={classes.password}>
        <code>{password}</code>
        <CopyButton textOf={() => password} />
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('adminUsers.done')}</Button>
      </Group>
    </div>
  );
}
