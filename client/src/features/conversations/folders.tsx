import type { Folder } from '@knowhow/shared/chat/folders';
import { useLocalStorage } from '@mantine/hooks';
import { type DragEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import listClasses from './conversation-list.module.css';
import { FolderSection } from './folder-section.tsx';
import classes from './folders.module.css';
import type { RowsProps } from './rows-props.ts';
import { useFolders, useMove } from './use-folders.ts';
import { draggedType } from './use-selection.ts';

interface FoldersProps {
  /** IDs hidden optimistically while deletion can be undone. */
  hidden: ReadonlySet<string>;
  rows: RowsProps;
}

/** The collapsible folders. Conversations are dragged into one, or out of it. */
export function Folders({ hidden, rows }: FoldersProps) {
  const { t } = useTranslation();
  const { data: folders = [], error, refetch } = useFolders();
  const move = useMove();
  const isDragging = useIsDragging();
  const [open, setOpen] = useLocalStorage<string[]>({
    key: 'knowhow-folders',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  if (error) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  if (folders.length === 0) {
    return null;
  }
  const names = folders.map(({ name }) => name);
  const dropInto = (folder: string | null) => ({
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      const ids = draggedIds(event);
      event.preventDefault();
      if (ids.length > 0) {
        void move(ids, folder).then(rows.selection.end);
      }
    },
  });
  return (
    <div className={classes.folders}>
      <p className={listClasses.period}>{t('folders.label')}</p>
      {folders.map((folder) => (
        <FolderSection
          key={folder.name}
          {...{ folder, hidden, rows }}
          isOpen={includesFolder(open, folder)}
          onFold={(isOpen) =>
            setOpen((now) => [
              // Drops entries of folders that no longer exist.
              ...now.filter((name) => name !== folder.name && names.includes(name)),
              ...(isOpen ? [folder.name] : []),
            ])
          }
          onRenamed={(name) =>
            setOpen((now) => (includesFolder(now, folder) ? [...now, name] : now))
          }
          drop={dropInto(folder.name)}
        />
      ))}
      {isDragging && (
        <p className={classes.out} {...dropInto(null)}>
          {t('folders.dropOut')}
        </p>
      )}
    </div>
  );
}

/** Whether a conversation of the list is being dragged. */
function useIsDragging(): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const begin = ({ target }: Event) => {
      if (target instanceof Element && target.closest('a[href*="/c/"], [draggable=true]')) {
        // Changing the page synchronously would end the drag.
        setTimeout(() => setDragging(true));
      }
    };
    window.addEventListener('dragstart', begin, { signal });
    window.addEventListener('dragend', () => setDragging(false), { signal });
    return () => listening.abort();
  }, []);
  return isDragging;
}

/** Dragging a link also carries its URL. */
function draggedIds({ dataTransfer }: DragEvent): string[] {
  const chosen = dataTransfer.getData(draggedType);
  const [, linked] = /\/c\/([\da-f-]{36})/.exec(dataTransfer.getData('text/uri-list')) ?? [];
  return chosen ? chosen.split(' ') : linked ? [linked] : [];
}

function includesFolder(names: readonly string[], { name }: Folder): boolean {
  return names.includes(name);
}
