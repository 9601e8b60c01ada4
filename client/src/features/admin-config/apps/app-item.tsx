import { useTranslation } from 'react-i18next';
import { useGroups } from '../groups/use-groups.ts';
import { asRecord, asTexts } from '../items/config-value.ts';
import { ItemPage } from '../items/item-page.tsx';
import { AppFacts } from './app-facts.tsx';
import { AppFields } from './app-fields.tsx';

export function AppItem({ id }: { id: string }) {
  const { t } = useTranslation();
  const granting = [...useGroups()]
    .filter(([, group]) => asTexts(asRecord(group.permissions).apps).includes(id))
    .map(([name]) => name);
  const losses = [
    t('adminConfig.app.lossUse'),
    ...(granting.length > 0
      ? [t('adminConfig.app.lossGroups', { groups: granting.join(', ') })]
      : []),
  ];
  return (
    <ItemPage kind="apps" id={id} losses={losses} facts={<AppFacts id={id} />}>
      <AppFields />
    </ItemPage>
  );
}
