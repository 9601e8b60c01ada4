import type { Plugin } from '@knowhow/shared/skills/plugins';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './plugin-list.module.css';
import { useDeletePlugin } from './plugins-query.ts';

/** Deletes a plugin after confirmation. */
export function DeletePlugin({ plugin }: { plugin: Plugin }) {
  const { t, i18n } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const remove = useDeletePlugin(plugin);
  const { id, skills } = plugin;
  const name = revealHiddenCharacters(plugin.name);
  const names = new Intl.ListFormat(i18n.language).format(skills.map((skill) => skill.name));

  function close() {
    setAsking(false);
    remove.reset();
  }

  return (
    <>
      <Button
        className={classes.delete}
        variant="default"
        size="xs"
        aria-label={t('plugins.deleteOf', { name })}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('plugins.delete')}
      </Button>
      <ConfirmDialog
        title={t('plugins.deleteTitle', { name })}
        opened={isAsking}
        onClose={close}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void notifications.show({ message: t('plugins.deleted', { name }) }),
          })
        }
        confirmLabel={t('plugins.deletePlugin')}
        typed={id}
        error={remove.error}
        isBusy={remove.isPending}
      >
        <p>{t('plugins.losses')}</p>
        <ul>
          <li>
            <Trans i18nKey="plugins.lostFolder" values={{ id }} components={{ code: <code /> }} />
          </li>
          {skills.length > 0 && (
            <li>{t('plugins.lostSkills', { count: skills.length, skills: names })}</li>
          )}
          <li>{t('plugins.lostDecision')}</li>
        </ul>
        <p>{t('plugins.keeps')}</p>
      </ConfirmDialog>
    </>
  );
}
