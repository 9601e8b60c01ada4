import { adminAppsApi } from '@knowhow/shared/admin-config';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../../api/query.ts';
import { textsOf } from '../items/config-value.ts';
import { ItemPage } from '../items/item-page.tsx';
import { ModelFacts } from './model-facts.tsx';
import { ModelFields } from './model-fields.tsx';

export function ModelItem({ id }: { id: string }) {
  const { t } = useTranslation();
  const apps = useQuery(allItems(adminAppsApi.list, {}));
  const naming = (apps.data ?? [])
    .filter(
      ({ config }) => config?.preferredModel === id || textsOf(config?.allowedModels).includes(id),
    )
    .map((app) => app.id);
  const losses = [
    t('adminConfig.model.lossUse'),
    ...(naming.length > 0 ? [t('adminConfig.model.lossApps', { apps: naming.join(', ') })] : []),
  ];
  return (
    <ItemPage kind="models" id={id} losses={losses} facts={<ModelFacts id={id} />}>
      <ModelFields />
    </ItemPage>
  );
}
