import { listedName } from '@knowhow/shared/config/app-config';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { asList, asLocalized, asText, type Config } from '../items/config-value.ts';
import { ItemList } from '../items/item-list.tsx';

export function AppList() {
  const { t } = useTranslation();
  const localize = useLocalize();

  function skillsIn(config: Config): string {
    const names = asList(config.skills).flatMap((entry) => listedName(entry) ?? []);
    return names.includes('*')
      ? t('adminConfig.app.allSkills')
      : t('adminConfig.app.skillCount', { count: names.length });
  }

  return (
    <ItemList
      kind="apps"
      columns={[
        {
          label: t('adminConfig.description'),
          render: ({ config }) => localize(asLocalized(config?.description)),
        },
        {
          label: t('adminConfig.app.model'),
          render: ({ config }) =>
            config && (asText(config.preferredModel) ?? t('adminConfig.app.noPreference')),
        },
        {
          label: t('adminConfig.skills.title'),
          render: ({ config }) => config && skillsIn(config),
        },
      ]}
    />
  );
}
