import { useTranslation } from 'react-i18next';
import { asTexts } from '../items/config-value.ts';
import { ItemPage } from '../items/item-page.tsx';
import { GroupFacts } from './group-facts.tsx';
import { GroupFields } from './group-fields.tsx';
import { useGroups } from './use-groups.ts';
import { useMembers } from './use-members.ts';

export function GroupItem({ id }: { id: string }) {
  const { t } = useTranslation();
  const members = useMembers(id);
  const heirs = [...useGroups()]
    .filter(([, group]) => asTexts(group.inherits).includes(id))
    .map(([name]) => name);
  const losses = [
    ...(members && members.length > 0
      ? [t('adminConfig.group.lossMembers', { count: members.length })]
      : []),
    ...(heirs.length > 0 ? [t('adminConfig.group.lossHeirs', { groups: heirs.join(', ') })] : []),
  ];
  return (
    <ItemPage
      kind="groups"
      id={id}
      losses={losses}
      facts={members && <GroupFacts members={members} />}
    >
      <GroupFields />
    </ItemPage>
  );
}
