import { randomUUID } from 'node:crypto';
import { maxSkillsPicked } from '@knowhow/shared/chat/chat';
import type { OpenAiCompletion } from '@knowhow/shared/chat/openai';
import { type Problem, type ProblemCode, problem, problemCodes } from '@knowhow/shared/problem';
import type { Caller } from '../access/caller.ts';
import { watchAccess } from '../access/watch-access.ts';
import type { AnswerDependencies } from '../chat/answer-turn.ts';
import { findApp } from '../chat/find-app.ts';
import type { TurnObserver } from '../chat/observe-turn.ts';
import { prepareTurn } from '../chat/prepare-turn.ts';
import { runTurn } from '../chat/run-turn.ts';
import { type RunningTurn, stoppedByUser } from '../chat/running-turns.ts';
import { type TurnLimits, watchLimits } from '../chat/turn-limits.ts';
import { activeSkillsOf } from '../conversations/records.ts';
import type { Log } from '../lib/log.ts';
import type { ModelToolCall } from '../models/model.ts';
import { createSkillView } from '../skills/skill-view.ts';
import { findNamed } from './model-names.ts';
import { openAiProgram } from './program.ts';
import { programStore } from './program-store.ts';
import { type History, readHistory } from './read-history.ts';

export interface CompletionDependencies extends AnswerDependencies {
  turnLimits: () => TurnLimits;
  observers: readonly TurnObserver[];
  log: Log;
}

export interface CompletionRequest {
  caller: Caller;
  /** The same as things are now. Throws when they may not be here any more. */
  callerNow: () => Promise<Caller>;
  body: OpenAiCompletion;
  language: string;
  traceparent: string | undefined;
  /** Aborted when nobody reads the answer any more. */
  gone: AbortSignal;
}

/** An answer under way. */
export interface Completion {
  /** Of the turn, in the log and in telemetry. */
  conversationId: string;
  /** Names of the skills that are active, so far. */
  skills(): string[];
  /** Throws the problem that the turn ends with. To be read to its end. */
  events: AsyncGenerator<CompletionEvent>;
}

export type CompletionEvent =
  | { type: 'text'; text: string }
  /** The last characters of the text so far are no part of the answer. A stream cannot take them back. */
  | { type: 'retract'; characters: number }
  | {
      /** The last one. */
      type: 'end';
      reason: 'stop' | 'length' | 'tool_calls';
      /** Of tools of the program. */
      calls: readonly ModelToolCall[];
      /** Of all requests to the model. */
      usage: { inputTokens: number; outputTokens: number };
    };

/**
 * Begins a turn in a conversation that a program keeps. Nothing of it is stored. Throws what is wrong with the
 * request before a model is asked.
 */
export async function beginCompletion(
  request: CompletionRequest,
  dependencies: CompletionDependencies,
): Promise<Completion> {
  const { caller, body, gone } = request;
  const { app, model } = findNamed(body.model, caller, dependencies);
  const history = readHistory(body.messages);
  const conversationId = randomUUID();
  const owner = caller.id;
  const turn = await dependencies.runningTurns.begin({ conversationId, appId: app, owner });
  if (!turn) {
    throw problem('not-ready', 'Send it again.', { retryAfter: 1 });
  }
  gone.addEventListener('abort', () => turn.abort.abort(stoppedByUser), { once: true });
  try {
    return await prepare(request, { app, model, history, conversationId, turn }, dependencies);
  } catch (error) {
    await turn.end();
    throw error;
  }
}

interface Begun {
  app: string;
  model: string | undefined;
  history: History;
  conversationId: string;
  turn: RunningTurn;
}

async function prepare(
  { caller, callerNow, body, language, traceparent }: CompletionRequest,
  { app, model, history, conversationId, turn }: Begun,
  dependencies: CompletionDependencies,
): Promise<Completion> {
  const { message, begun, records, system } = history;
  const program = openAiProgram({ body, system, language });
  const store = programStore(conversationId, app, records);
  const skills = [...wantedSkills(body), ...carriedSkills(history, caller, app, dependencies)];
  const { contents, models, ranking, personal, takeTurn } = dependencies;
  const prepared = await prepareTurn(
    {
      ...{ caller, callerNow, appId: app, conversationId, language, traceparent, program },
      body: { message, skills: [...new Set(skills)], ...(model === undefined ? {} : { model }) },
    },
    // Without tools of sources: nobody is there to be asked, and what they make belongs to a conversation.
    {
      ...{ contents, models, ranking, skills: dependencies.skills, conversations: store },
      ...(personal ? { personal } : {}),
      ...(takeTurn ? { takeTurn } : {}),
    },
  );
  const { answer } = prepared.start;
  if (begun) {
    Object.assign(answer, begun.said);
    prepared.records.answers.set(answer.id, begun.record);
  }
  const active = () => [...activeSkillsOf(prepared.records).keys()];
  const { observers, log } = dependencies;
  const { signal } = turn.abort;
  const run = runTurn(prepared, { conversations: store, observers, log, signal });
  const watched = { turn, access: prepared.access, limits: dependencies.turnLimits };
  const events = eventsOf(run, { calls: () => program.calls, goesOn: begun !== undefined });
  return { conversationId, skills: active, events: watch(events, watched) };
}

/** Those that the program asks for. */
function wantedSkills({ metadata }: OpenAiCompletion): string[] {
  const names = (metadata?.skills ?? '').split(',').map((name) => name.trim());
  const wanted = names.filter((name) => name !== '');
  if (wanted.length > maxSkillsPicked) {
    const message = `At most ${maxSkillsPicked} skills can be asked for at once.`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'metadata.skills', code: 'too_big', message }],
    });
  }
  return wanted;
}

/** Those that were active when the calls were made whose results have come, as far as they may be seen still. */
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
    apps: [findApp(appId, caller, current)],
  });
  return names.filter((name) => view.find(name) !== undefined);
}

interface Reading {
  calls: () => readonly ModelToolCall[];
  /** What comes is added to what the program has. */
  goesOn: boolean;
}

async function* eventsOf(
  run: ReturnType<typeof runTurn>,
  { calls, goesOn }: Reading,
): AsyncGenerator<CompletionEvent> {
  let usage = { inputTokens: 0, outputTokens: 0 };
  let isFirst = goesOn;
  for await (const event of run) {
    switch (event.type) {
      case 'chunk': {
        // The chat begins a paragraph there; to the program it is a message of its own.
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
        throw problem(codeOf(event.code), event.message);
      case 'done': {
        const ended = reasons[event.finishReason];
        if (ended === undefined) {
          throw problem('model-interrupted', 'The answer was stopped. Send it again.');
        }
        const made = calls();
        yield { type: 'end', reason: made.length > 0 ? 'tool_calls' : ended, calls: made, usage };
      }
    }
  }
}

function codeOf(code: string): ProblemCode {
  return problemCodes.find((known) => known === code) ?? 'internal';
}

const reasons = {
  stop: 'stop',
  length: 'length',
  'tool-limit': 'length',
  aborted: undefined,
  interrupted: undefined,
} as const;

interface Watched {
  turn: RunningTurn;
  access: () => Promise<unknown>;
  limits: () => TurnLimits;
}

/** Ends the turn when access is lost or a limit is reached, and gives it back in the end. */
async function* watch(
  events: AsyncGenerator<CompletionEvent>,
  { turn, access, limits }: Watched,
): AsyncGenerator<CompletionEvent> {
  const seen = { count: 0, isSuspended: false, unreadFor: () => 0 };
  const abort = (why: Problem) => turn.abort.abort(why);
  const endWatch = watchAccess(access, abort);
  const endLimits = watchLimits(seen, limits, abort);
  try {
    for await (const event of events) {
      seen.count += 1;
      yield event;
    }
  } finally {
    endWatch();
    endLimits();
    await turn.end();
  }
}
