import type { ConfigItem } from '@knowhow/shared/config/admin-config';
import { useTranslation } from 'react-i18next';
import { asText } from '../items/config-value.ts';
import classes from '../items/item-list.module.css';
import { ItemList } from '../items/item-list.tsx';
import ownClasses from './model-list.module.css';
import { useModelStates, useProviders } from './model-queries.ts';
import { ProviderKeys } from './provider-keys.tsx';

export function ModelList() {
  const { t } = useTranslation();
  const states = useModelStates();
  const providers = useProviders();
  const found = [...states.values()].filter((state) => state.found);

  function providerIn(value: unknown): string {
    const known = providers.find((provider) => provider.value === value);
    return known?.label ?? asText(value) ?? '';
  }

  return (
    <ItemList
      kind="models"
      columns={[
        {
          label: t('adminConfig.model.provider'),
          render: ({ config }) => providerIn(config?.provider),
        },
        {
          label: t('adminConfig.model.state'),
          render: (item) => <ModelState item={item} state={states.get(item.id)} />,
        },
        {
          label: t('adminConfig.model.default'),
          render: ({ config }) => (config?.default === true ? t('adminConfig.yes') : ''),
        },
      ]}
    >
      {found.length > 0 && (
        <p className={classes.note}>
          {t('adminConfig.model.found')}{' '}
          {found.map(({ id }) => (
            <code key={id}>{id}</code>
          ))}
        </p>
      )}
      <ProviderKeys />
    </ItemList>
  );
}

interface ModelStateProps {
  item: ConfigItem;
  state: { needs?: string | undefined; refusesTools?: boolean | undefined } | undefined;
}

/** Whether a model is available, and what is missing. */
function ModelState({ item, state }: ModelStateProps) {
  const { t } = useTranslation();
  if (item.config?.enabled === false) {
    return t('adminConfig.model.off');
  }
  if (!state) {
    return null;
  }
  if (state.needs !== undefined) {
    return (
      <span className={ownClasses.needs}>
        {t('adminConfig.model.needs')} <code>{state.needs}</code>
      </span>
    );
  }
  if (state.refusesTools) {
    return <span className={ownClasses.needs}>{t('adminConfig.model.refusesTools')}</span>;
  }
  return <span className={ownClasses.ready}>{t('adminConfig.model.ready')}</span>;
}
