import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { titleOf } from '@knowhow/shared/chat/title-of';
import type { Contents } from '../../content/contents.ts';
import type { ConversationStore } from '../../conversations/conversation-store.ts';
import { limitConcurrency } from '../../lib/limit-concurrency.ts';
import type { Log } from '../../lib/log.ts';
import type { TurnObserver } from '../observe-turn.ts';
import type { PreparedTurn } from '../prepare-turn.ts';
import { type AskedForTitle, askForTitle } from './ask-for-title.ts';

export interface Titles {
  /** Has titles written for conversations whose first answer is there. */
  observe: TurnObserver;
  /** Resolves when no title is being written for this conversation by this process. */
  written(conversationId: string): Promise<void>;
  /** Ends what is being written: those titles stay as they are. */
  close(): Promise<void>;
}

interface Dependencies {
  conversations: ConversationStore;
  contents: () => Contents;
  /** Told of what a title took. */
  countUse(turn: PreparedTurn, asked: AskedForTitle): void;
  log: Log;
}

const atOnce = 4;
/** Above it a conversation keeps the title that it has. */
const mostWaiting = 100;
/** With the wait for others. */
const patienceMs = 30_000;

/** Titles by models, in the background: no turn waits for one or notices that it failed. */
export function createTitles({ conversations, contents, countUse, log }: Dependencies): Titles {
  const stop = new AbortController();
  const writing = new Map<string, Promise<void>>();
  const queue = limitConcurrency(atOnce);
  const write = async (turn: PreparedTurn) => {
    const { owner, conversation } = turn.start;
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(patienceMs)]);
    try {
      const title = await queue(async () => {
        signal.throwIfAborted();
        return askForTitle(turn, (asked) => countUse(turn, asked), signal);
      });
      if (title !== undefined && !signal.aborted) {
        await conversations.change(owner, conversation.id, { title, before: conversation.title });
      }
    } catch (error) {
      log.info({ error, conversation: conversation.id }, 'the model wrote no title');
    }
  };
  return {
    observe: (turn) => {
      const { id } = turn.start.conversation;
      const isWanted = isUntitled(turn);
      return ({ last }) => {
        const isOn = contents().platform.titles?.byModel === true;
        if (isOn && isWanted && isAnswered(last) && writing.size < mostWaiting) {
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

/** Whether a conversation begins here, and is called as its first message does. A program keeps its own; nothing is to be
 * said of a temporary one to anybody. */
function isUntitled({ start, program }: PreparedTurn): boolean {
  const { isNew, position, user, conversation, beside } = start;
  const hasFirstTitle = isNew || conversation.title === titleOf(user.content);
  const isKept = program === undefined && !isTemporary(conversation.id);
  return isKept && beside === undefined && position === 0 && hasFirstTitle;
}

function isAnswered(last: ChatEvent): boolean {
  return last.type === 'done' && !['aborted', 'interrupted'].includes(last.finishReason);
}
