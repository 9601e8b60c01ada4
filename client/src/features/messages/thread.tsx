import type { Message } from '@knowhow/shared/chat/conversations';
import { Button, Skeleton } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import {
  memo,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { loadChunk } from '../../ui/loading/load-chunk.ts';
import { useIsPrinted } from '../../ui/use-is-printed.ts';
import { useStableCallbacks } from '../../ui/use-stable-callbacks.ts';
import { ConversationContext } from './conversation-context.ts';
import { createNearWatch, NearWatchContext } from './near-watch.ts';
import classes from './thread.module.css';
import { ThreadStateContext } from './thread-state.ts';
import { Turn, type TurnActions } from './turn.tsx';
import { useFollowEnd } from './use-follow-end.ts';

/** Number of turns at the end of a conversation that are rendered immediately. */
const firstShown = 3;

interface ThreadProps extends Omit<MessagesProps, 'messages' | 'asked' | 'wanted'> {
  conversationId: string;
  /** Undefined while loading. */
  messages: Message[] | undefined;
  /** Shown while there are no messages. */
  empty: ReactNode;
}

interface MessagesProps extends TurnActions {
  messages: Message[];
  /** The last question, if it was asked here rather than loaded. */
  asked: string | undefined;
  /** The message in the URL, if any. */
  wanted: string;
}

/** The messages of a conversation. */
export function Thread({ conversationId, messages, empty, ...props }: ThreadProps) {
  const {
    leftOut,
    activeSkills,
    busy,
    isAway,
    editing,
    modelName,
    hasTraces,
    comparison,
    ...latest
  } = props;
  const callbacks = useStableCallbacks(latest);
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const [watch] = useState(() => createNearWatch(scroller));
  const isEmpty = messages?.length === 0;
  const { isAway: isScrolledUp, toEnd, letGo } = useFollowEnd(scroller, isEmpty);
  const wanted = useJump({ messages, scroller, onLeave: letGo });
  const lastQuestion = messages?.findLast(({ role }) => role === 'user')?.id;

  // Scrolls to the answer after sending, and to the branch after switching.
  const { moved } = useContext(ThreadStateContext);
  const asked = useAsked(messages !== undefined, lastQuestion, moved);
  const followed = useRef(moved);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new question is the occasion
  useEffect(() => {
    if (followed.current === moved) {
      toEnd();
    }
    followed.current = moved;
  }, [lastQuestion, toEnd]);

  return (
    <div className={classes.frame} data-empty={isEmpty || undefined}>
      <div className={classes.scroller} ref={scroller}>
        <div className={classes.column} role="log" aria-label={t('thread.label')} aria-busy={busy}>
          {isEmpty && empty}
          {messages ? (
            <ConversationContext value={conversationId}>
              <NearWatchContext value={watch}>
                <Messages
                  {...{ messages, asked, wanted, leftOut, activeSkills, busy, isAway, editing }}
                  {...{ modelName, hasTraces, comparison }}
                  {...callbacks}
                />
              </NearWatchContext>
            </ConversationContext>
          ) : (
            <ThreadSkeleton />
          )}
        </div>
      </div>
      {isScrolledUp && (
        <Button
          className={classes.toEnd}
          variant="default"
          size="xs"
          radius="xl"
          leftSection={<IconArrowDown size={15} aria-hidden />}
          onClick={toEnd}
        >
          {t('thread.toEnd')}
        </Button>
      )}
    </div>
  );
}

/** The last question, once it differs from the one that was loaded. */
function useAsked(isLoaded: boolean, lastQuestion: string | undefined, moved: unknown) {
  const [found, setFound] = useState<{ question: string | undefined; moved: unknown }>();
  if (isLoaded && (!found || found.moved !== moved)) {
    setFound({ question: lastQuestion, moved });
  }
  return found && found.question !== lastQuestion ? lastQuestion : undefined;
}

/** Memoised: re-rendering thousands of messages would delay every keystroke. */
const Messages = memo(function Messages({ messages, asked, wanted, ...props }: MessagesProps) {
  const { t } = useTranslation();
  const isPrinted = useIsPrinted();
  const labels = { user: t('question.label'), assistant: t('answer.label') };
  const turns = groupIntoTurns(messages);
  return turns.map(({ id, from, to }, position) => {
    const shown = messages.slice(from, to);
    const isLate = position >= turns.length - firstShown;
    return (
      <Turn
        key={id}
        {...props}
        messages={shown}
        before={messages[from - 1]?.id}
        isAsked={id === asked}
        isLast={to === messages.length}
        labels={labels}
        isWhole={isPrinted || isLate || shown.some((message) => message.id === wanted)}
      />
    );
  });
});

/** Turns (a question with its answer) by question ID, within a range of messages. */
function groupIntoTurns(messages: Message[]): { id: string; from: number; to: number }[] {
  const starts = messages.flatMap(({ id, role }, from) =>
    role === 'user' || from === 0 ? [{ id, from }] : [],
  );
  return starts.map((start, turn) => ({ ...start, to: starts[turn + 1]?.from ?? messages.length }));
}

function ThreadSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden>
      <Skeleton height={44} width="55%" ms="auto" radius={12} />
      <Skeleton height={12} mt={28} />
      <Skeleton height={12} mt={12} width="94%" />
      <Skeleton height={12} mt={12} width="60%" />
    </div>
  );
}

interface Jumping {
  /** Undefined while loading. */
  messages: readonly Message[] | undefined;
  scroller: RefObject<HTMLElement | null>;
  /** Called before the view moves; it then stays there. */
  onLeave: () => void;
}

/**
 * Scrolls to the message in the URL fragment at each navigation. If it is in another branch, switches to that
 * branch. Returns the message's ID, if any.
 */
function useJump({ messages, scroller, onLeave }: Jumping): string {
  const { hash, key, state } = useLocation();
  const { onMove } = useContext(ThreadStateContext);
  const id = hash.slice(1);
  const isThere = messages && id !== '' && messages.some((message) => message.id === id);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival, and once it is there
  useEffect(() => {
    if (isThere === false && id !== '') {
      onMove({ to: id, by: 'before' });
    }
    const leaving = new AbortController();
    if (isThere) {
      const wanted = { id, words: state?.words ?? [], scroller, onLeave, signal: leaving.signal };
      loadChunk(() => import('./jump-to.ts'))
        .then(({ jumpTo }) => jumpTo(wanted))
        // The conversation is usable all the same.
        .catch(() => undefined);
    }
    return () => leaving.abort();
  }, [key, isThere]);
  return id;
}
