import { useTranslation } from 'react-i18next';
import { useConfigItems } from '../../../ui/use-config-items.ts';
import { asTexts } from '../items/config-value.ts';
import { ItemPage } from '../items/item-page.tsx';
import { ModelFacts } from './model-facts.tsx';
import { ModelFields } from './model-fields.tsx';

export function ModelItem({ id }: { id: string }) {
  const { t } = useTranslation();
  const apps = useConfigItems('apps');
  const naming = (apps.data ?? [])
    .filter(
      ({ config }) => config?.preferredModel === id || asTexts(config?.allowedModels).includes(id),
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
