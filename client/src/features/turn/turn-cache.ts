import { endCalls } from '@knowhow/shared/chat/answer-changes';
import type { ChatEvent } from '@knowhow/shared/chat/chat';
import {
  type AssistantMessage,
  type Conversation,
  conversationsApi,
} from '@knowhow/shared/chat/conversations';
import type { QueryClient } from '@tanstack/react-query';
import { endpointQueryFilter } from '../../api/query.ts';
import { newId } from '../../ui/new-id.ts';
import { applyChatEvent } from './apply-chat-event.ts';
import { beginTurn } from './begin-turn.ts';
import { conversationQuery } from './conversation-query.ts';
import { isLast } from './follow-turn.ts';
import type { TurnRequest } from './turn-request.ts';
import { updateAnswer } from './update-answer.ts';

/** A conversation in the query cache, from which it is rendered. */
export class TurnCache {
  readonly #queryClient: QueryClient;
  readonly #query: ReturnType<typeof conversationQuery>;
  /** The replayed content of an answer, as long as it is shorter than what is shown. */
  #behind: Conversation | undefined;
  /** Whether messages were removed for the turn. */
  #isCut = false;

  constructor(queryClient: QueryClient, conversationId: string) {
    this.#queryClient = queryClient;
    this.#query = conversationQuery(conversationId);
  }

  read(): Conversation | undefined {
    return this.#queryClient.getQueryData(this.#query.queryKey);
  }

  write(conversation: Conversation): void {
    this.#queryClient.setQueryData(this.#query.queryKey, conversation);
  }

  /** Shows a sent message optimistically. */
  begin(request: TurnRequest): void {
    this.#isCut = request.replaces !== undefined;
    this.write(beginTurn({ conversation: this.read(), request, newId, now: new Date() }));
  }

  /** The unfinished answer, if any. */
  runningAnswer(): AssistantMessage | undefined {
    const shown = this.read();
    return shown && isRunning(shown) ? getLastAnswer(shown) : undefined;
  }

  /** Displayed text never shrinks. */
  apply(events: ChatEvent[]): void {
    const shown = this.read();
    if (!shown) {
      return;
    }
    const next = events.reduce(applyChatEvent, this.#behind ?? shown);
    const isLess = isRunning(next) && getLength(next) < getLength(shown);
    this.#behind = isLess ? next : undefined;
    if (!isLess) {
      this.write(next);
    }
    if (events.some(isEndedEarly) || (events.some(isLast) && this.#mayReadOthers(next))) {
      void this.invalidate();
    }
  }

  /** Whether the compaction or the branches may have changed: only the server knows. */
  #mayReadOthers(conversation: Conversation): boolean {
    const hasNotices = getLastAnswer(conversation)?.notices !== undefined;
    return hasNotices || this.#isCut || conversation.comparison !== undefined;
  }

  /** Marks an unfinished answer as interrupted. */
  interrupt(): void {
    const conversation = this.read();
    if (conversation && this.runningAnswer()) {
      this.write(
        updateAnswer(conversation, (answer) => ({
          ...answer,
          toolCalls: endCalls(answer.toolCalls),
          status: 'interrupted',
        })),
      );
    }
  }

  restore(before: Conversation | undefined): void {
    if (before) {
      this.write(before);
      return;
    }
    void this.#queryClient.resetQueries(this.#query);
  }

  /** A pending load would overwrite newer events. */
  cancelLoading(): Promise<void> {
    return this.#queryClient.cancelQueries(this.#query);
  }

  /** Refetches. Throws when the server refuses or is unreachable. */
  async load(): Promise<void> {
    this.#behind = undefined;
    await this.#queryClient.fetchQuery({ ...this.#query, staleTime: 0, retry: false });
  }

  /** Whether the server has received this message. */
  async hasTaken(message: string, before: Conversation | undefined): Promise<boolean> {
    const isLoaded = await this.load().then(
      () => true,
      () => false,
    );
    const known = before?.messages ?? [];
    const last = this.read()?.messages.findLast(({ role }) => role === 'user');
    return isLoaded && last?.content === message && known.every(({ id }) => id !== last.id);
  }

  /** Refetches if it is on screen. */
  invalidate(): Promise<void> {
    return this.#queryClient.invalidateQueries(this.#query);
  }

  refreshList(): void {
    void this.#queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list));
  }
}

/** Whether the server may have stored less than its readers received. */
function isEndedEarly(event: ChatEvent): boolean {
  return event.type === 'error'
    ? event.code === 'not-found' || event.code === 'not-writable'
    : event.type === 'done' && event.finishReason === 'interrupted';
}

function getLastAnswer({ messages }: Conversation): AssistantMessage | undefined {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last : undefined;
}

function isRunning(conversation: Conversation): boolean {
  return getLastAnswer(conversation)?.status === 'running';
}

function getLength(conversation: Conversation): number {
  const last = getLastAnswer(conversation);
  return last ? last.content.length + last.thinking.length : 0;
}
