import { conversationsApi } from '@knowhow/shared/chat/conversations';
import { type Folder, foldersApi } from '@knowhow/shared/chat/folders';
import { Menu } from '@mantine/core';
import { IconChevronRight, IconDots, IconFolder, IconPencil, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter, pages } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LazyMenu } from '../../ui/loading/lazy-menu.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import rowClasses from './conversation-row.module.css';
import { ConversationRow } from './conversation-row.tsx';
import classes from './folders.module.css';
import type { RowsProps } from './rows-props.ts';
import { TitleField } from './title-field.tsx';

interface FolderSectionProps {
  folder: Folder;
  hidden: ReadonlySet<string>;
  rows: RowsProps;
  isOpen: boolean;
  onFold: (isOpen: boolean) => void;
  /** The optimistic new name. */
  onRenamed: (name: string) => void;
  /** Accepts dropped conversations. */
  drop: { onDragOver: (event: DragEvent) => void; onDrop: (event: DragEvent) => void };
}

/** A folder: its name, which toggles it, its menu, and its conversations while open. */
export function FolderSection(props: FolderSectionProps) {
  const { folder, isOpen, onFold, onRenamed, drop, ...rest } = props;
  const { name, conversations: count } = folder;
  const { t } = useTranslation();
  const id = useId();
  const { rename } = useChangeFolder(name);
  const [doing, setDoing] = useState<'rename' | 'delete'>();
  useFocusBack(doing === 'delete');
  const [isOver, setOver] = useState(false);

  if (doing === 'rename') {
    const onDone = (changed: string) => {
      setDoing(undefined);
      if (changed !== '' && changed !== name) {
        rename(changed, () => onRenamed(changed));
      }
    };
    return <TitleField title={name} label={t('folders.newName')} onDone={onDone} />;
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: by keys, conversations are moved by their menus */}
      <div
        className={classes.head}
        data-over={isOver || undefined}
        onDragEnter={() => setOver(true)}
        onDragOver={(event) => {
          setOver(true);
          drop.onDragOver(event);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          drop.onDrop(event);
        }}
      >
        <button
          type="button"
          className={classes.fold}
          aria-expanded={isOpen}
          aria-controls={id}
          title={name}
          onClick={() => onFold(!isOpen)}
        >
          <IconChevronRight size={14} aria-hidden />
          <IconFolder size={16} aria-hidden />
          <span className={classes.name}>{name}</span>
          <span className={classes.count}>{count}</span>
        </button>
        <FolderMenu name={name} onChoose={setDoing} />
      </div>
      {isOpen && <FolderRows id={id} name={name} {...rest} />}
      {doing === 'delete' && <DeleteFolder folder={folder} onClose={() => setDoing(undefined)} />}
    </>
  );
}

interface FolderMenuProps {
  name: string;
  onChoose: (wanted: 'rename' | 'delete') => void;
}

function FolderMenu({ name, onChoose }: FolderMenuProps) {
  const { t } = useTranslation();
  return (
    <LazyMenu
      position="bottom-end"
      width={200}
      button={
        <IconButton
          className={classes.more ?? ''}
          label={t('folders.actions', { name })}
          icon={<IconDots size={16} />}
          size={28}
        />
      }
    >
      {() => (
        <>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onChoose('rename')}>
            {t('folders.rename')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            className={rowClasses.delete ?? ''}
            onClick={() => onChoose('delete')}
          >
            {t('folders.delete')}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}

interface FolderRowsProps {
  id: string;
  name: string;
  hidden: ReadonlySet<string>;
  rows: RowsProps;
}

function FolderRows({ id, name, hidden, rows: { running, ...row } }: FolderRowsProps) {
  const list = useInfiniteQuery(
    pages(conversationsApi.list, { query: { limit: 50, folder: name } }),
  );
  const found = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      <ul id={id} className={classes.rows} aria-label={name} aria-busy={list.isPending}>
        {found
          .filter((conversation) => !hidden.has(conversation.id))
          .map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              running={running.has(conversation.id)}
              {...row}
            />
          ))}
      </ul>
      <MoreButton list={list} size="xs" />
    </>
  );
}

/** Asks before a folder is deleted; its conversations are kept. */
function DeleteFolder({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { t } = useTranslation();
  const { name, conversations: count } = folder;
  const { remove } = useChangeFolder(name);
  return (
    <ConfirmDialog
      title={t('folders.deleteTitle', { name })}
      opened
      onClose={onClose}
      onConfirm={() => {
        onClose();
        remove();
      }}
      confirmLabel={t('folders.delete')}
    >
      <p>{t('folders.deleteText', { count })}</p>
    </ConfirmDialog>
  );
}

/** Renames or deletes a folder; conversations are kept. */
function useChangeFolder(name: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const change = (asked: Promise<void>) =>
    asked
      .catch(showError)
      .then(() => queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list)));
  const params = { name };
  return {
    rename: (next: string, onRenamed: () => void) =>
      void change(call(foldersApi.rename, { params, body: { name: next } }).then(onRenamed)),
    remove: () => void change(call(foldersApi.remove, { params })),
  };
}
