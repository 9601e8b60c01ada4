import type { Plugin } from '@knowhow/shared/skills/plugins';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import rowClasses from '../../ui/layout/switch-row.module.css';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { useChangePlugin } from './plugins-query.ts';

/** Skills that request to be offered in every app; renders nothing if there are none. */
export function EverywhereRow({ plugin }: { plugin: Plugin }) {
  const { t, i18n } = useTranslation();
  const { mutate, isPending } = useChangePlugin(plugin);
  const asking = plugin.skills.filter(({ wantsEverywhere }) => wantsEverywhere);
  const waiting = asking.filter(({ isEverywhere }) => !isEverywhere);
  if (asking.length === 0) {
    return null;
  }
  const named = (waiting.length > 0 ? waiting : asking).map(({ name }) => name);
  const skills = new Intl.ListFormat(i18n.language).format(named);
  const message = t('plugins.agreed', { name: revealHiddenCharacters(plugin.name) });
  return (
    <div className={rowClasses.row}>
      <div className={rowClasses.words}>
        <div className={rowClasses.label}>{t('plugins.everywhere')}</div>
        <div className={rowClasses.text}>
          {waiting.length > 0
            ? t('plugins.wants', { skills })
            : t('plugins.isEverywhere', { skills })}
        </div>
      </div>
      {waiting.length > 0 && (
        <Button
          variant="default"
          size="sm"
          loading={isPending}
          onClick={() =>
            mutate({ everywhere: true }, { onSuccess: () => void notifications.show({ message }) })
          }
        >
          {t('plugins.agree')}
        </Button>
      )}
    </div>
  );
}
