import type { TurnEnd } from '@knowhow/shared/chat/chat';
import { createTitle } from '@knowhow/shared/chat/create-title';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { Contents } from '../../content/contents.ts';
import type { ConversationStore } from '../../conversations/conversation-store.ts';
import type { TurnObserver } from '../observe-turn.ts';
import type { PreparedTurn } from '../prepare-turn.ts';
import { type AskedForTitle, askForTitle } from './ask-for-title.ts';

export interface Titles {
  /** Generates titles for conversations after their first answer. */
  observe: TurnObserver;
  /** Resolves when this process is not writing a title for the conversation. */
  written(conversationId: string): Promise<void>;
  /** Aborts the titles being written; the conversations keep their present ones. */
  close(): Promise<void>;
}

interface Dependencies {
  conversations: ConversationStore;
  contents: () => Contents;
  /** Called with what a title consumed. */
  countUse(turn: PreparedTurn, asked: AskedForTitle): void;
  log: Log;
}

const maxConcurrent = 4;
/** Maximum queue length; beyond it, conversations keep their present title. */
const maxQueued = 100;
/** Includes the time in the queue. */
const timeoutMs = 30_000;

/** Generates titles in the background: no turn waits for one or notices a failure. */
export function createTitles({ conversations, contents, countUse, log }: Dependencies): Titles {
  const stop = new AbortController();
  const writing = new Map<string, Promise<void>>();
  const queue = limitConcurrency(maxConcurrent);
  const write = async (turn: PreparedTurn) => {
    const { owner, conversation } = turn.start;
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const title = await queue(async () => {
        signal.throwIfAborted();
        return askForTitle(turn, (asked) => countUse(turn, asked), signal);
      });
      if (title !== undefined && !signal.aborted) {
        await conversations.change(owner, conversation.id, { title, before: conversation.title });
      }
    } catch (error) {
      log.info({ error, conversation: conversation.id }, 'generating a title failed');
    }
  };
  return {
    observe: (turn) => {
      const { id } = turn.start.conversation;
      const isWanted = needsTitle(turn);
      return ({ last }) => {
        const isOn = contents().platform.titles.byModel;
        if (isOn && isWanted && isAnswered(last) && writing.size < maxQueued) {
          writing.set(
            id,
            write(turn).finally(() => writing.delete(id)),
          );
        }
      };
    },
    written: async (id) => writing.get(id),
    close: async () => {
      stop.abort();
      await Promise.all(writing.values());
    },
  };
}

/**
 * Whether a conversation starts here and still has the title taken from its first message. Programs keep their own
 * titles, and temporary conversations get none.
 */
function needsTitle({ start, program }: PreparedTurn): boolean {
  const { isNew, position, user, conversation, beside } = start;
  const hasFirstTitle = isNew || conversation.title === createTitle(user.content);
  const isStored = program === undefined && !isTemporary(conversation.id);
  return isStored && beside === undefined && position === 0 && hasFirstTitle;
}

function isAnswered(last: TurnEnd): boolean {
  return last.type === 'done' && !['aborted', 'interrupted'].includes(last.finishReason);
}
