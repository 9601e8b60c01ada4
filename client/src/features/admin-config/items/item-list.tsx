import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { getAppLook } from '@knowhow/shared/config/app-look';
import { itemIdSchema } from '@knowhow/shared/config/item-id';
import { Button, Group, Modal, Skeleton, Switch, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { allItems, endpointQueryFilter } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { AppIcon } from '../../../ui/app-icon.tsx';
import { CardTable, type Column } from '../../../ui/layout/card-table.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { SearchField } from '../../../ui/layout/search-field.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import fieldsClasses from '../fields.module.css';
import { getDisplayName } from '../get-display-name.ts';
import { configApis, kindTexts, newConfigs } from './config-kind.ts';
import { asText } from './config-value.ts';
import classes from './item-list.module.css';
import { slugify } from './slugify.ts';
import { usePutItem } from './use-put-item.ts';

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

interface ItemHeadProps {
  kind: ConfigKind;
  item: ConfigItem;
}

/** Name and links of an item, and the error of its file. */
function ItemHead({ kind, item }: ItemHeadProps) {
  const localize = useLocalize();
  const { fault, config } = item;
  return (
    <>
      <Link className={classes.name} to={`/admin/${kind}/${encodeURIComponent(item.id)}`}>
        {kind === 'apps' && (
          <AppIcon {...getAppLook({ icon: asText(config?.icon), color: asText(config?.color) })} />
        )}
        {getDisplayName(item, localize)}
      </Link>
      <span className={classes.id}>{item.id}</span>
      {fault && (
        <span className={classes.fault}>
          {fault.field === undefined ? fault.message : `${fault.field}: ${fault.message}`}
        </span>
      )}
    </>
  );
}

interface EnabledSwitchProps {
  kind: ConfigKind;
  item: ConfigItem;
}

/** Enables or disables an item at once, with undo in a toast. */
function EnabledSwitch({ kind, item }: EnabledSwitchProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const queryClient = useQueryClient();
  const put = usePutItem(kind);
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const name = getDisplayName(item, localize);

  const write = ({ id, config, checksum }: ConfigItem, enabled: boolean) =>
    put({ id, config: { ...config, enabled }, checksum });
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => write(item, enabled),
    onSuccess: (saved, enabled) =>
      showUndo({
        message: t(enabled ? 'adminConfig.switchedOn' : 'adminConfig.switchedOff', { name }),
        undo: () => write(saved, !enabled),
      }),
    onError: (error) => {
      showError(error);
      return queryClient.invalidateQueries(endpointQueryFilter(configApis[kind].list));
    },
  });

  if (item.fault) {
    return <StatusBadge status="broken" />;
  }
  return (
    <Switch
      className={classes.switch}
      aria-label={t('adminConfig.enabledOf', { name })}
      checked={toggle.isPending ? toggle.variables : item.config?.enabled !== false}
      onChange={(event) => toggle.mutate(event.currentTarget.checked)}
    />
  );
}

interface NewItemFormProps {
  kind: ConfigKind;
  taken: ConfigItem[];
  onClose: () => void;
}

interface NewItemDialogProps extends NewItemFormProps {
  opened: boolean;
}

/** Asks for name and ID, creates the item and opens it. */
function NewItemDialog({ opened, ...rest }: NewItemDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={rest.onClose}
      title={t(kindTexts[rest.kind].newItem)}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <NewItemForm {...rest} />
    </Modal>
  );
}

function NewItemForm({ kind, taken, onClose }: NewItemFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const put = usePutItem(kind);
  const [name, setName] = useState('');
  const [typedId, setTypedId] = useState<string>();
  const id = typedId ?? slugify(name);
  const isTaken = taken.some((item) => item.id.toLowerCase() === id.toLowerCase());
  const isValid = itemIdSchema.safeParse(id).success;
  const invalid = id !== '' && !isValid && t('adminConfig.new.invalid');
  const fault = isTaken ? t('adminConfig.new.taken', { id }) : invalid;

  const creation = useMutation({
    mutationFn: () => put({ id, config: { id, name: name.trim(), ...newConfigs[kind](id) } }),
    onSuccess: () => navigate(`/admin/${kind}/${encodeURIComponent(id)}`),
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (isValid && !isTaken) {
      creation.mutate();
    }
  }

  return (
    <form className={fieldsClasses.dialog} onSubmit={onSubmit}>
      <p className={fieldsClasses.dialogText}>{t(kindTexts[kind].newAbout)}</p>
      <TextInput
        label={t('adminConfig.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label={t('adminConfig.new.id')}
        description={t('adminConfig.new.idAbout')}
        error={fault}
        classNames={{ input: fieldsClasses.code }}
        value={id}
        onChange={(event) => setTypedId(event.currentTarget.value)}
        required
        withAsterisk={false}
        maxLength={100}
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
      />
      {creation.error && <ErrorNote error={creation.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={creation.isPending} disabled={isTaken || !isValid}>
          {t('adminConfig.new.create')}
        </Button>
      </Group>
    </form>
  );
}
