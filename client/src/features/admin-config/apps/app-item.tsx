import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from '../facts.module.css';
import { DetailsPanel } from '../facts.tsx';
import { type Groups, inheritedGrants } from '../groups/inheritance.ts';
import { useGroups } from '../groups/use-groups.ts';
import { asRecord, asText, asTexts } from '../items/config-value.ts';
import { useDraft } from '../items/draft-context.ts';
import { ItemPage } from '../items/item-page.tsx';
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

/** The groups that may open an app, and why. */
function AppFacts({ id }: { id: string }) {
  const { t } = useTranslation();
  const { item } = useDraft();
  const groups = useGroups();
  const openers = [...groups].flatMap(([group, config]) => {
    const via = findGrantingGroup(id, group, groups);
    return via === undefined ? [] : [{ group, name: asText(config.name) || group, via }];
  });

  return (
    <DetailsPanel title={t('adminConfig.app.facts')}>
      {groups.size > 0 && openers.length === 0 && <p>{t('adminConfig.app.openedByNobody')}</p>}
      <ul className={classes.list}>
        {openers.map(({ group, name, via }) => (
          <li key={group}>
            <Link to={`/admin/groups/${encodeURIComponent(group)}`}>{name}</Link>
            {via !== group && <span> {t('adminConfig.app.openedVia', { group: via })}</span>}
          </li>
        ))}
      </ul>
      {!item.fault && item.config?.enabled !== false && (
        <p>
          <Link to={`/apps/${encodeURIComponent(id)}`}>{t('adminConfig.app.open')}</Link>
        </p>
      )}
    </DetailsPanel>
  );
}

/** The group that grants the app to members of a group: itself, or one that it inherits from. */
function findGrantingGroup(app: string, group: string, groups: Groups): string | undefined {
  const config = groups.get(group);
  const own = asTexts(asRecord(config?.permissions).apps);
  if (own.includes(app) || own.includes('*')) {
    return group;
  }
  const inherited = inheritedGrants('apps', asTexts(config?.inherits), groups);
  return inherited.find(({ id }) => id === app || id === '*')?.via;
}
