import { Menu } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './answer.module.css';

interface RetryMenuProps {
  models: readonly { id: string; name: string }[];
  onRetry: (model: string) => void;
  /** Starts a comparison answer; undefined if that is not possible. */
  onBeside: ((model: string) => void) | undefined;
  onClose: () => void;
}

/** The models available for a retry; opens immediately. */
export function RetryMenu({ models, onRetry, onBeside, onClose }: RetryMenuProps) {
  const { t } = useTranslation();
  const ways = [
    { label: t('again.with'), act: onRetry },
    ...(onBeside ? [{ label: t('second.with'), act: onBeside }] : []),
  ];
  return (
    <Menu opened position="bottom-start" onClose={onClose} returnFocus>
      <Menu.Target>
        <span className={classes.anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={t('again.with')}>
        {ways.map(({ label, act }) => (
          <Fragment key={label}>
            <Menu.Label>{label}</Menu.Label>
            {models.map(({ id, name }) => (
              <Menu.Item key={id} onClick={() => act(id)}>
                {name}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
