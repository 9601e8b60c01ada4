import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './answer.module.css';

interface RetryMenuProps {
  models: readonly { id: string; name: string }[];
  onRetry: (model: string) => void;
  onClose: () => void;
}

/** The models that an answer can be tried again with; shown at once. */
export function RetryMenu({ models, onRetry, onClose }: RetryMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu opened position="bottom-start" onClose={onClose} returnFocus>
      <Menu.Target>
        <span className={classes.anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('again.with')}>
        <Menu.Label>{t('again.with')}</Menu.Label>
        {models.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => onRetry(id)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
