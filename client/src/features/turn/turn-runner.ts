import { type ChatEvent, chatApi } from '@knowhow/shared/chat';
import { type Conversation, conversationsApi } from '@knowhow/shared/conversations';
import { Problem, problem } from '@knowhow/shared/problem';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { everyQueryOf } from '../../api/query.ts';
import { stream } from '../../api/stream.ts';
import { Unreachable } from '../../api/unreachable.ts';
import { applyChatEvent } from './apply-chat-event.ts';
import { beginTurn } from './begin-turn.ts';
import { conversationQuery } from './conversation-query.ts';
import { frameBatch } from './frame-batch.ts';
import { newId } from './new-id.ts';
import type { TurnRequest } from './turn-request.ts';
import { updateAnswer } from './update-answer.ts';

export type TurnPhase = 'idle' | 'sending' | 'answering' | 'stopping';

/**
 * Whether the server took the message; when not, the conversation is as it was before, and the error
 * says why, unless the user stopped it.
 */
export type TurnOutcome = { sent: true } | { sent: false; error?: unknown };

interface RunningTurn {
  phase: TurnPhase;
  controller: AbortController;
}

interface TurnSurroundings {
  /** The id of who is signed in: nothing they write is sent as somebody else. */
  user: string | undefined;
  /** Called when a turn ends because its user is not signed in any more. */
  onSignedOut: () => void;
  /** Called when a turn has begun and when it has ended: other tabs may show its conversation. */
  notifyOthers: (conversationId: string) => void;
}

/** How long a stopped turn may take to end by itself. */
const stopPatience = 3000;

/**
 * Runs turns and writes what comes of them into the query cache, where the conversation is shown
 * from. A turn goes on while another conversation is looked at.
 */
export class TurnRunner {
  readonly #queryClient: QueryClient;
  readonly #onSignedOut: () => void;
  readonly #notifyOthers: (conversationId: string) => void;
  readonly #user: string | undefined;
  readonly #turns = new Map<string, RunningTurn>();
  readonly #listeners = new Set<() => void>();
  #running: ReadonlySet<string> = new Set();

  constructor(queryClient: QueryClient, { user, onSignedOut, notifyOthers }: TurnSurroundings) {
    this.#queryClient = queryClient;
    this.#onSignedOut = onSignedOut;
    this.#notifyOthers = notifyOthers;
    this.#user = user;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  phaseOf(conversationId: string): TurnPhase {
    return this.#turns.get(conversationId)?.phase ?? 'idle';
  }

  /** Ids of the conversations with a running turn; another set whenever that changes. */
  readonly running = (): ReadonlySet<string> => this.#running;

  /** Runs one turn to its end. `onStarted` is called once the server has taken the message. */
  async start(request: TurnRequest, onStarted: () => void): Promise<TurnOutcome> {
    const { conversationId } = request;
    if (this.#turns.has(conversationId)) {
      return { sent: false, error: problem('turn-running', 'An answer is still being written.') };
    }
    const before = this.#conversation(conversationId);
    const { signal } = this.#setPhase(conversationId, 'sending');
    await this.#queryClient.cancelQueries(conversationQuery(conversationId));
    this.#write(beginTurn({ conversation: before, request, newId, now: new Date() }));
    try {
      const after = before?.messages.at(-1)?.id;
      return await this.#run({ ...request, after }, signal, onStarted);
    } catch (error) {
      this.#restore(conversationId, before);
      if (error instanceof Problem && error.code === 'not-signed-in') {
        this.#onSignedOut();
      }
      if (error instanceof Problem && ['changed-meanwhile', 'turn-running'].includes(error.code)) {
        void this.#queryClient.invalidateQueries(conversationQuery(conversationId));
      }
      return { sent: false, error: signal.aborted ? undefined : error };
    } finally {
      this.#turns.delete(conversationId);
      this.#notify();
    }
  }

  /** Stops the running turn, also one that was started elsewhere. What was said so far stays. */
  async stop(appId: string, conversationId: string): Promise<void> {
    const turn = this.#turns.get(conversationId);
    const params = { appId, conversationId };
    if (!turn) {
      await call(chatApi.stop, { params });
      await this.#queryClient.invalidateQueries(conversationQuery(conversationId));
      return;
    }
    this.#setPhase(conversationId, 'stopping');
    setTimeout(() => turn.controller.abort(), stopPatience);
    await call(chatApi.stop, { params }).catch(() => turn.controller.abort());
  }

  /** Ends every turn: the user has left. */
  abortAll(): void {
    for (const { controller } of this.#turns.values()) {
      controller.abort();
    }
  }

  async #run(
    request: TurnRequest,
    signal: AbortSignal,
    onStarted: () => void,
  ): Promise<TurnOutcome> {
    const { appId, conversationId, ...rest } = request;
    const body = { ...rest, user: this.#user };
    const events = stream(chatApi.turn, { params: { appId, conversationId }, body }, { signal });
    const batch = frameBatch<ChatEvent>((batched) => this.#apply(conversationId, batched));
    let started = false;
    let last: ChatEvent | undefined;
    try {
      for await (const event of events) {
        batch.push(event);
        last = event;
        if (event.type === 'session.start') {
          started = true;
          batch.flush();
          this.#setPhase(conversationId, 'answering');
          this.#refreshList();
          this.#notifyOthers(conversationId);
          onStarted();
        }
      }
    } catch (error) {
      if (!started) {
        throw error;
      }
    }
    batch.flush();
    if (!started) {
      throw new Unreachable();
    }
    this.#settle(conversationId, signal.aborted);
    this.#notifyOthers(conversationId);
    if (last?.type === 'error' && last.code === 'not-signed-in') {
      this.#onSignedOut();
    }
    return { sent: true };
  }

  /** Marks an answer whose last event never came, and asks the server what it has kept. */
  #settle(conversationId: string, aborted: boolean): void {
    const conversation = this.#conversation(conversationId);
    const last = conversation?.messages.at(-1);
    if (conversation && last?.role === 'assistant' && last.status === 'running') {
      const status = aborted ? 'stopped' : 'interrupted';
      this.#write(updateAnswer(conversation, (answer) => ({ ...answer, status })));
      void this.#queryClient.invalidateQueries(conversationQuery(conversationId));
    }
    this.#refreshList();
  }

  #apply(conversationId: string, events: ChatEvent[]): void {
    const conversation = this.#conversation(conversationId);
    if (conversation) {
      this.#write(events.reduce(applyChatEvent, conversation));
    }
  }

  #conversation(conversationId: string): Conversation | undefined {
    return this.#queryClient.getQueryData(conversationQuery(conversationId).queryKey);
  }

  #write(conversation: Conversation): void {
    this.#queryClient.setQueryData(conversationQuery(conversation.id).queryKey, conversation);
  }

  #restore(conversationId: string, before: Conversation | undefined): void {
    if (before) {
      this.#write(before);
      return;
    }
    void this.#queryClient.resetQueries(conversationQuery(conversationId));
  }

  #refreshList(): void {
    void this.#queryClient.invalidateQueries(everyQueryOf(conversationsApi.list));
  }

  #setPhase(conversationId: string, phase: TurnPhase): AbortController {
    const controller = this.#turns.get(conversationId)?.controller ?? new AbortController();
    this.#turns.set(conversationId, { phase, controller });
    this.#notify();
    return controller;
  }

  #notify(): void {
    this.#running = new Set(this.#turns.keys());
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
