import {
  type ConversationSummary,
  conversationsApi,
  type FoundConversation,
} from '@knowhow/shared/chat/conversations';
import { IconArchive, IconDots } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { LazyMenu } from '../../ui/loading/lazy-menu.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import classes from './conversation-row.module.css';
import type { RowDialogName } from './row-dialog.tsx';
import type { RowMenuItemsProps } from './row-menu-items.tsx';
import type { Selection } from './use-selection.ts';

const RowMenuItems = lazyPart(async () => (await import('./row-menu-items.tsx')).RowMenuItems);

const RowDialog = lazyPart(async () => (await import('./row-dialog.tsx')).RowDialog, LostDialog);

/** The menu of one conversation of the list. */
function RowMenu(props: Omit<RowMenuItemsProps, 'onOpen'>) {
  const { t } = useTranslation();
  const { conversation } = props;
  const { title } = conversation;
  const [dialog, setDialog] = useState<RowDialogName>();
  const close = () => setDialog(undefined);
  useFocusBack(dialog !== undefined);
  return (
    <>
      <LazyMenu
        position="bottom-end"
        width={180}
        button={
          <IconButton
            className={classes.more}
            label={t('conversations.actions', { title })}
            icon={<IconDots size={16} />}
            size={28}
          />
        }
      >
        {() => (
          <Suspense>
            <RowMenuItems {...props} onOpen={setDialog} />
          </Suspense>
        )}
      </LazyMenu>
      {dialog && (
        <Suspense>
          <RowDialog name={dialog} conversation={conversation} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

const HitText = lazyPart(async () => (await import('./hit-text.tsx')).HitText);
const TitleField = lazyPart(async () => (await import('./title-field.tsx')).TitleField);

interface ConversationRowProps {
  conversation: FoundConversation;
  /** Whether an answer is being written in it. */
  running: boolean;
  selection: Selection;
  onMove: (conversations: ConversationSummary[]) => void;
  onDelete: (conversations: ConversationSummary[]) => void;
}

/** One conversation of the list; in search results with the matching text. */
export function ConversationRow({
  conversation,
  running,
  selection,
  onMove,
  onDelete,
}: ConversationRowProps) {
  const { t } = useTranslation();
  const { id, isArchived, hit } = conversation;
  const [renaming, setRenaming] = useState(false);
  const change = useChange(id);
  const title = (change.isPending && change.variables.title) || conversation.title;

  if (renaming) {
    return (
      <li className={classes.row}>
        <Suspense>
          <TitleField
            title={title}
            onDone={(changed) => {
              setRenaming(false);
              if (changed !== '' && changed !== title) {
                change.mutate({ title: changed });
              }
            }}
          />
        </Suspense>
      </li>
    );
  }
  if (selection.chosen) {
    return <ChoiceRow {...{ conversation, selection, title }} />;
  }
  return (
    <li className={classes.row}>
      <NavLink className={classes.link} title={title} {...linkTo(conversation)}>
        {running && <span className={classes.running} role="img" aria-label={t('state.writing')} />}
        {isArchived && (
          <IconArchive
            className={classes.mark}
            size={14}
            role="img"
            aria-label={t('conversations.isArchived')}
          />
        )}
        <span className={classes.title}>{title}</span>
        {hit && (
          <Suspense>
            <HitText hit={hit} />
          </Suspense>
        )}
      </NavLink>
      <RowMenu
        conversation={{ ...conversation, title }}
        onChange={change.mutate}
        onRename={() => setRenaming(true)}
        onMove={() => onMove([conversation])}
        onSelect={() => selection.begin(conversation)}
        onDelete={() => onDelete([conversation])}
      />
    </li>
  );
}

interface ChoiceRowProps extends Pick<ConversationRowProps, 'conversation' | 'selection'> {
  title: string;
}

/** In selection mode. */
function ChoiceRow({ conversation, selection, title }: ChoiceRowProps) {
  const { t } = useTranslation();
  const { id } = conversation;
  return (
    <li className={classes.row}>
      <label
        className={classes.link}
        draggable
        onDragStart={(event) => selection.drag(conversation, event)}
      >
        <input
          type="checkbox"
          className={classes.check}
          aria-label={t('conversations.selectOne', { title })}
          // biome-ignore lint/a11y/noAutofocus: it takes the place of what was just chosen
          autoFocus={selection.first === id}
          checked={selection.chosen?.has(id) ?? false}
          onChange={() => selection.toggle(conversation)}
        />
        <span className={classes.title}>{title}</span>
      </label>
    </li>
  );
}

/** The URL of a conversation; for a search result, of the message, with the words to highlight. */
function linkTo({ id, hit }: FoundConversation) {
  if (!hit) {
    return { to: `/c/${id}` };
  }
  const words = hit.marks.map(({ from, to }) => hit.text.slice(from, to));
  return { to: `/c/${id}#${hit.messageId}`, state: { words: [...new Set(words)] } };
}

interface Change {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
}

/** Renames, pins or archives a conversation; `variables` is the pending change. */
function useChange(id: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useMutation({
    mutationFn: (change: Change) => call(conversationsApi.change, { params: { id }, body: change }),
    onError: showError,
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list)),
        queryClient.invalidateQueries({
          queryKey: [conversationsApi.get.path, { params: { id } }],
        }),
      ]),
  });
}
