import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { CardTable, type Column } from '../../../ui/layout/card-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { getDisplayName } from '../get-display-name.ts';
import { configApis, kindTexts } from './config-kind.ts';
import { EnabledSwitch } from './enabled-switch.tsx';
import { ItemHead } from './item-head.tsx';
import classes from './item-list.module.css';
import { NewItemDialog } from './new-item-dialog.tsx';

interface ItemListProps {
  kind: ConfigKind;
  columns: readonly Column<ConfigItem>[];
  /** Whether items can be enabled and disabled. */
  hasSwitch?: boolean;
  /** Below the table. */
  children?: ReactNode;
}

/** All items of a kind. */
export function ItemList({ kind, columns, hasSwitch = true, children }: ItemListProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const [search, setSearch] = useState('');
  const [isNew, setNew] = useState(false);
  const items = useQuery(allItems(configApis[kind].list, {}));
  const texts = kindTexts[kind];

  const words = search.toLowerCase();
  const found = items.data?.filter((item) =>
    `${item.id} ${getDisplayName(item, localize)}`.toLowerCase().includes(words),
  );
  const newButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNew(true)}>
      {t(texts.newItem)}
    </Button>
  );

  return (
    <PageFrame title={t(texts.title)} description={t(texts.about)} actions={newButton}>
      {items.error && <ErrorNote error={items.error} />}
      {items.isPending && <Waiting />}
      {items.data?.length === 0 && (
        <EmptyState title={t(texts.empty)} text={t(texts.newAbout)}>
          {newButton}
        </EmptyState>
      )}
      {items.data && items.data.length > 0 && (
        <div className={classes.filters}>
          <SearchField label={t(texts.search)} value={search} onChange={setSearch} />
        </div>
      )}
      {found && found.length > 0 && (
        <CardTable
          label={t(texts.title)}
          rows={found}
          keyOf={({ id, path }) => `${path} ${id}`}
          head={{
            label: t('adminConfig.name'),
            render: (item) => <ItemHead kind={kind} item={item} />,
          }}
          columns={columns}
          {...(hasSwitch && {
            action: {
              label: t('adminConfig.enabled'),
              render: (item: ConfigItem) => <EnabledSwitch kind={kind} item={item} />,
            },
          })}
        />
      )}
      {found?.length === 0 && search !== '' && (
        <EmptyState
          title={t('adminConfig.nothingFound', { search })}
          text={t('adminConfig.nothingFoundAbout')}
        >
          <Button variant="default" onClick={() => setSearch('')}>
            {t('adminConfig.clearSearch')}
          </Button>
        </EmptyState>
      )}
      {children}
      <NewItemDialog
        kind={kind}
        taken={items.data ?? []}
        opened={isNew}
        onClose={() => setNew(false)}
      />
    </PageFrame>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <div className={classes.waiting} role="status" aria-label={t('state.loading')}>
      {['one', 'two', 'three', 'four'].map((row) => (
        <Skeleton key={row} height={44} />
      ))}
    </div>
  );
}
