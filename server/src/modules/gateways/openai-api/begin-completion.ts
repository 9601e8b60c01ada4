import { randomUUID } from 'node:crypto';
import { type Activation, type ChatEvent, maxSkillsPicked } from '@knowhow/shared/chat/chat';
import type { OpenAiCompletion } from '@knowhow/shared/chat/openai';
import { type ProblemCode, problem, problemCodes } from '@knowhow/shared/problem';
import type { Log } from '../../../platform/lib/log.ts';
import {
  type AnswerDependencies,
  driveTurn,
  findApp,
  type PreparedTurn,
  type Program,
  prepareTurn,
  stoppedByUser,
  type TurnLimits,
  type TurnObserver,
  type TurnRequest,
  type TurnSink,
} from '../../chat/index.ts';
import {
  createDryRunStore,
  getActiveSkills,
  type Records,
  type TurnStore,
} from '../../conversations/index.ts';
import { type Caller, getSkillOwner } from '../../identity/index.ts';
import type { ModelToolCall } from '../../models/index.ts';
import { createSkillView } from '../../skills/index.ts';
import { resolveModelName } from './model-names.ts';
import { createOpenAiProgram } from './program.ts';
import { type History, readHistory } from './read-history.ts';

export interface CompletionDependencies extends AnswerDependencies {
  turnLimits: () => TurnLimits;
  observers: readonly TurnObserver[];
  log: Log;
}

export interface CompletionRequest {
  caller: Caller;
  /** Re-evaluates the caller. Throws if they have lost access. */
  callerNow: () => Promise<Caller>;
  body: OpenAiCompletion;
  language: string;
  traceparent: string | undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** A running answer. */
export interface Completion {
  /** ID of the turn in logs and telemetry. */
  conversationId: string;
  /** The skills active so far. */
  active(): ActiveNames;
  /** Throws the problem that the turn ends with. Must be consumed completely. */
  events: AsyncGenerator<CompletionEvent>;
}

/** Active skills as programs see them, in the field `knowhow`. */
export interface ActiveNames {
  skills: string[];
  /** By name; without those whose version is unknown. */
  versions: Record<string, NonNullable<Activation['version']>>;
}

export type CompletionEvent =
  | { type: 'text'; text: string }
  /** Retracts the last characters of the text so far. A streaming response cannot take them back. */
  | { type: 'retract'; characters: number }
  | {
      /** Always the last event. */
      type: 'end';
      reason: 'stop' | 'length' | 'tool_calls';
      /** Calls of the client's own tools. */
      calls: readonly ModelToolCall[];
      /** Totals over all model requests. */
      usage: { inputTokens: number; outputTokens: number };
    };

/**
 * Starts a turn in a conversation that the client keeps. Stores nothing. Throws request errors before calling
 * a model.
 */
export async function beginCompletion(
  request: CompletionRequest,
  dependencies: CompletionDependencies,
): Promise<Completion> {
  const { caller, body, signal } = request;
  const { app, model } = resolveModelName(body.model, caller, dependencies);
  const history = readHistory(body.messages);
  const conversationId = randomUUID();
  const owner = caller.id;
  const turn = await dependencies.runningTurns.begin({ conversationId, appId: app, owner });
  if (!turn) {
    throw problem('not-ready', 'Try again.', { retryAfter: 1 });
  }
  const stop = () => turn.abort.abort(stoppedByUser);
  signal.addEventListener('abort', stop, { once: true });
  const program = createOpenAiProgram({ body, system: history.system, language: request.language });
  const conversations = createProgramStore(conversationId, app, history.records);
  const { observers, turnLimits, log } = dependencies;
  const prepare = () =>
    prepareCompletion(
      request,
      { app, model, history, conversationId, program, conversations },
      dependencies,
    );
  const { prepared, sink } = await driveTurn(turn, prepare, {
    conversations,
    observers,
    turnLimits,
    logFor: () => log,
    openSink: () => createEventQueue(stop),
  });
  return {
    conversationId,
    active: () => nameActiveSkills(prepared.records),
    events: toCompletionEvents(sink.read(), {
      calls: () => program.calls,
      isContinuation: history.begun !== undefined,
    }),
  };
}

function nameActiveSkills(records: Records): ActiveNames {
  const active = getActiveSkills(records);
  const versions = [...active].flatMap(
    ([
      name,
      {
        activation: { version },
      },
    ]) => (version ? [[name, version] as const] : []),
  );
  return { skills: [...active.keys()], versions: Object.fromEntries(versions) };
}

interface CompletionParts {
  app: string;
  model: string | undefined;
  history: History;
  conversationId: string;
  program: Program;
  conversations: TurnStore;
}

async function prepareCompletion(
  request: CompletionRequest,
  { app, model, history, conversationId, program, conversations }: CompletionParts,
  dependencies: CompletionDependencies,
): Promise<PreparedTurn> {
  const { caller, callerNow, body, language, traceparent } = request;
  const { message, begun } = history;
  const skills = [...requestedSkills(body), ...carriedSkills(history, caller, app, dependencies)];
  const { contents, models, ranking, personal, takeTurn } = dependencies;
  const turn: TurnRequest = {
    caller,
    callerNow,
    appId: app,
    conversationId,
    language,
    traceparent,
    program,
    body: { message, skills: [...new Set(skills)], ...(model === undefined ? {} : { model }) },
  };
  // Excludes tool sources: their questions could not be answered, and their files belong to a conversation.
  const prepared = await prepareTurn(turn, {
    contents,
    models,
    ranking,
    skills: dependencies.skills,
    conversations,
    ...(personal ? { personal } : {}),
    ...(takeTurn ? { takeTurn } : {}),
  });
  const { answer } = prepared.start;
  if (begun) {
    Object.assign(answer, begun.said);
    prepared.records.answers.set(answer.id, begun.record);
  }
  return prepared;
}

/** Skills that the client requests. */
function requestedSkills({ metadata }: OpenAiCompletion): string[] {
  const names = (metadata?.skills ?? '').split(',').map((name) => name.trim());
  const wanted = names.filter((name) => name !== '');
  if (wanted.length > maxSkillsPicked) {
    const message = `At most ${maxSkillsPicked} skills can be requested at once.`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'metadata.skills', code: 'too_big', message }],
    });
  }
  return wanted;
}

/**
 * Skills that were active when the calls were made whose results arrive now, as far as they are still
 * visible.
 */
function carriedSkills(
  { skills: names }: History,
  caller: Caller,
  appId: string,
  { contents, skills, ranking }: CompletionDependencies,
): string[] {
  if (names.length === 0) {
    return [];
  }
  const current = contents();
  const view = createSkillView({
    store: skills,
    ranking,
    config: current.skills,
    grant: caller.permissions.skills,
    groups: caller.groups,
    owner: getSkillOwner(caller),
    apps: [findApp(appId, caller, current)],
  });
  return names.filter((name) => view.find(name) !== undefined);
}

interface EventOptions {
  calls: () => readonly ModelToolCall[];
  /** Whether the answer continues one that the client already has. */
  isContinuation: boolean;
}

async function* toCompletionEvents(
  events: AsyncIterable<ChatEvent>,
  { calls, isContinuation }: EventOptions,
): AsyncGenerator<CompletionEvent> {
  let usage = { inputTokens: 0, outputTokens: 0 };
  let isFirst = isContinuation;
  for await (const event of events) {
    switch (event.type) {
      case 'chunk': {
        // The chat starts a paragraph here; for the client it is a separate message.
        const text = isFirst ? event.content.replace(/^\n\n/, '') : event.content;
        isFirst = false;
        yield { type: 'text', text };
        break;
      }
      case 'chunk.was-thinking':
        yield { type: 'retract', characters: event.characters };
        break;
      case 'usage':
        usage = event;
        break;
      case 'error':
        throw problem(toProblemCode(event.code), event.message);
      case 'done': {
        const ended = reasons[event.finishReason];
        if (ended === undefined) {
          throw problem('model-interrupted', 'The answer was stopped. Try again.');
        }
        const finalCalls = calls();
        yield {
          type: 'end',
          reason: finalCalls.length > 0 ? 'tool_calls' : ended,
          calls: finalCalls,
          usage,
        };
        return;
      }
    }
  }
  throw problem('internal', 'Something went wrong on the server. Try again.');
}

function toProblemCode(code: string): ProblemCode {
  return problemCodes.find((known) => known === code) ?? 'internal';
}

const reasons = {
  stop: 'stop',
  length: 'length',
  'tool-limit': 'length',
  aborted: undefined,
  interrupted: undefined,
} as const;

/** A turn store for a conversation that the client keeps. Persists nothing. */
function createProgramStore(id: string, appId: string, records: Records): TurnStore {
  const now = new Date().toISOString();
  const conversation = {
    id,
    appId,
    title: '',
    model: '',
    createdAt: now,
    updatedAt: now,
    records,
    comparisonBranch: undefined,
    skillsOff: [],
    ranked: undefined,
    tools: [],
  };
  const isNew = records.messages.length === 0;
  return { ...createDryRunStore(), claim: async () => (isNew ? 'free' : conversation) };
}

interface EventQueue extends TurnSink {
  /** Yields the events until the end. The turn waits until its reader asks for the next one. */
  read(): AsyncGenerator<ChatEvent>;
}

interface WaitingEvent {
  event: ChatEvent;
  release: () => void;
}

/**
 * Hands the events of a turn to one reader. Once the reader has left, events are dropped.
 *
 * @param onLeave called when the reader has left, at the end or earlier
 */
function createEventQueue(onLeave: () => void): EventQueue {
  const waiting: WaitingEvent[] = [];
  let wake = () => {};
  let count = 0;
  let isOver = false;
  let hasLeft = false;
  return {
    get count() {
      return count;
    },
    // Programs cannot be asked anything, and a disconnected one stops its turn.
    isSuspended: false,
    unreadFor: () => 0,
    add: (event) => {
      count += 1;
      if (hasLeft) {
        return undefined;
      }
      return new Promise((release) => {
        waiting.push({ event, release });
        wake();
      });
    },
    end: () => {
      isOver = true;
      wake();
    },
    read: async function* () {
      let taken: WaitingEvent | undefined;
      try {
        for (;;) {
          taken = waiting.shift();
          if (taken) {
            yield taken.event;
            taken.release();
          } else if (isOver) {
            return;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        hasLeft = true;
        onLeave();
        for (const { release } of [...(taken ? [taken] : []), ...waiting]) {
          release();
        }
      }
    },
  };
}
