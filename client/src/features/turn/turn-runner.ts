import { type ChatEvent, chatApi } from '@knowhow/shared/chat/chat';
import { Problem, problem } from '@knowhow/shared/problem';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { stream } from '../../api/stream.ts';
import { Unreachable } from '../../api/unreachable.ts';
import { isLast } from './follow-turn.ts';
import { frameBatch } from './frame-batch.ts';
import { readTurn } from './read-turn.ts';
import { TurnCache } from './turn-cache.ts';
import type { TurnRequest } from './turn-request.ts';

export type TurnPhase = 'idle' | 'sending' | 'answering' | 'stopping';

/**
 * Whether the server accepted the message. If not, the conversation is unchanged, and the error explains why,
 * unless the user stopped it.
 */
export type TurnOutcome = { sent: true } | { sent: false; error?: unknown };

interface RunningTurn {
  phase: TurnPhase;
  /** Whether the connection is lost and being restored. */
  isAway: boolean;
  /** Stops reading, but not the turn. */
  controller: AbortController;
}

interface Reading {
  cache: TurnCache;
  signal: AbortSignal;
}

interface TurnSurroundings {
  /** The ID of the signed-in user: nothing is sent on behalf of another user. */
  user: string | undefined;
  /** Called when a turn ends because its user is no longer signed in. */
  onSignedOut: () => void;
  /** Called when a turn starts and ends: other tabs may show its conversation. */
  notifyOthers: (conversationId: string) => void;
}

/**
 * Starts turns, follows those of others, and writes their events into the query cache. A turn continues while
 * another conversation is on screen, and without this page.
 */
export class TurnRunner {
  readonly #queryClient: QueryClient;
  readonly #surroundings: TurnSurroundings;
  readonly #turns = new Map<string, RunningTurn>();
  readonly #listeners = new Set<() => void>();
  #running: ReadonlySet<string> = new Set();

  constructor(queryClient: QueryClient, surroundings: TurnSurroundings) {
    this.#queryClient = queryClient;
    this.#surroundings = surroundings;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  phaseOf(conversationId: string): TurnPhase {
    return this.#turns.get(conversationId)?.phase ?? 'idle';
  }

  /** Whether the connection to a turn is lost and being restored. */
  isAway(conversationId: string): boolean {
    return this.#turns.get(conversationId)?.isAway ?? false;
  }

  /** IDs of the conversations with a running turn; a new set whenever it changes. */
  readonly running = (): ReadonlySet<string> => this.#running;

  /** Runs one turn to its end. Calls `onStarted` once the server has accepted the message. */
  async start(request: TurnRequest, onStarted: () => void): Promise<TurnOutcome> {
    const { conversationId } = request;
    if (this.#turns.has(conversationId)) {
      return { sent: false, error: problem('turn-running', 'An answer is still being written.') };
    }
    const cache = new TurnCache(this.#queryClient, conversationId);
    const before = cache.read();
    const { signal } = this.#update(conversationId, { phase: 'sending' });
    await cache.cancelLoading();
    cache.begin(request);
    try {
      const after = before?.messages.at(-1)?.id;
      await this.#run({ ...request, after }, { cache, signal, onStarted });
      return { sent: true };
    } catch (error) {
      if (error instanceof Unreachable && (await cache.hasTaken(request.message, before))) {
        onStarted();
        await this.#readOn(conversationId, 0, { cache, signal });
        return { sent: true };
      }
      cache.restore(before);
      this.#noticeSignOut(error);
      if (before && mayHaveContinued(error)) {
        void cache.invalidate();
      }
      return { sent: false, error: signal.aborted ? undefined : error };
    } finally {
      this.#forget(conversationId);
    }
  }

  /** Follows the turn of a conversation with an unfinished last answer, wherever it was started. */
  async follow(conversationId: string): Promise<void> {
    const cache = new TurnCache(this.#queryClient, conversationId);
    if (this.#turns.has(conversationId) || !cache.runningAnswer()) {
      return;
    }
    const { signal } = this.#update(conversationId, { phase: 'answering' });
    await cache.cancelLoading();
    await this.#readOn(conversationId, 0, { cache, signal });
    this.#forget(conversationId);
  }

  /** Stops the running turn, wherever it was started. The text so far is kept. */
  async stop(appId: string, conversationId: string): Promise<void> {
    const turn = this.#turns.get(conversationId);
    const isSending = turn?.phase === 'sending';
    if (turn) {
      this.#update(conversationId, { phase: 'stopping' });
    }
    const stop = call(chatApi.stop, { params: { appId, conversationId } });
    const { stopped } = await stop.catch((error: unknown) => {
      if (!isSending) {
        this.#resume(conversationId);
        throw error;
      }
      return { stopped: false };
    });
    if (isSending && !stopped) {
      turn.controller.abort();
    }
  }

  /** Stops reading all turns: the user has left. */
  abortAll(): void {
    for (const { controller } of this.#turns.values()) {
      controller.abort();
    }
  }

  /** Throws if the server has not accepted the message. */
  async #run(
    request: TurnRequest,
    { cache, signal, onStarted }: Reading & { onStarted: () => void },
  ): Promise<void> {
    const { appId, conversationId, attachments, ...rest } = request;
    const ids = attachments?.map(({ id }) => id);
    const body = { ...rest, attachments: ids, user: this.#surroundings.user };
    const events = stream(chatApi.turn, { params: { appId, conversationId }, body }, { signal });
    const batch = frameBatch<ChatEvent>((batched) => cache.apply(batched));
    let known = 0;
    let last: ChatEvent | undefined;
    try {
      for await (const { number, event } of events) {
        batch.push(event);
        last = event;
        if (known === 0) {
          batch.flush();
          this.#update(conversationId, { phase: 'answering' });
          cache.refreshList();
          this.#surroundings.notifyOthers(conversationId);
          onStarted();
        }
        known = number;
      }
    } catch (error) {
      if (known === 0) {
        throw error;
      }
    }
    batch.flush();
    if (!last) {
      throw new Unreachable();
    }
    if (isLast(last)) {
      this.#noticeSignOut(last);
    } else {
      await this.#readOn(conversationId, known, { cache, signal });
    }
    cache.refreshList();
    this.#surroundings.notifyOthers(conversationId);
  }

  /** Reads the unfinished answer from an event to its end. */
  async #readOn(conversationId: string, after: number, { cache, signal }: Reading): Promise<void> {
    const onAway = (isAway: boolean) => {
      if (isAway !== this.isAway(conversationId)) {
        this.#update(conversationId, { isAway });
      }
    };
    try {
      this.#noticeSignOut(await readTurn(conversationId, after, { cache, signal, onAway }));
    } catch (error) {
      if (!signal.aborted) {
        this.#noticeSignOut(error);
        cache.interrupt();
        void cache.invalidate();
      }
    }
  }

  #noticeSignOut(end: unknown): void {
    if (typeof end === 'object' && end && 'code' in end && end.code === 'not-signed-in') {
      this.#surroundings.onSignedOut();
    }
  }

  #resume(conversationId: string): void {
    if (this.#turns.has(conversationId)) {
      this.#update(conversationId, { phase: 'answering' });
    }
  }

  #update(conversationId: string, change: Partial<RunningTurn>): AbortController {
    const known = this.#turns.get(conversationId) ?? createTurn();
    const turn = { ...known, ...change };
    this.#turns.set(conversationId, turn);
    this.#notify();
    return turn.controller;
  }

  #forget(conversationId: string): void {
    this.#turns.delete(conversationId);
    this.#notify();
  }

  #notify(): void {
    this.#running = new Set(this.#turns.keys());
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

function createTurn(): RunningTurn {
  return { phase: 'idle', isAway: false, controller: new AbortController() };
}

/** Whether the conversation may have continued anyway, or elsewhere. */
function mayHaveContinued(error: unknown): boolean {
  const elsewhere = ['changed-meanwhile', 'turn-running'];
  return error instanceof Problem ? elsewhere.includes(error.code) : true;
}
