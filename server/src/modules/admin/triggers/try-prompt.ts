import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ChatEvent, TurnError } from '@knowhow/shared/chat/chat';
import { countTokens } from '@knowhow/shared/count-tokens';
import { type Problem, problem } from '@knowhow/shared/problem';
import type { TriggerPrompt, TriggerResult } from '@knowhow/shared/skills/trigger-tests';
import type { Log } from '../../../platform/lib/log.ts';
import {
  type ModelList,
  openJournal,
  type PreparedTurn,
  prepareTurn,
  runTurn,
  toTurnError,
} from '../../chat/index.ts';
import { createDryRunStore } from '../../conversations/index.ts';
import type { TurnUsage } from '../../identity/index.ts';
import type { AskModel, ModelRequest } from '../../models/index.ts';
import type { Trial } from './trigger-trial.ts';

export interface PromptTrial {
  trial: Trial;
  prompt: TriggerPrompt;
  model: string;
  /** Timeout in milliseconds. */
  patienceMs: number;
  language: string;
  log: Log;
  /** Serializes CPU-intensive work. */
  oneAtATime: <Done>(work: () => Promise<Done>) => Promise<Done>;
  /** Counts the prompt as a turn. */
  takeTurn?: (() => Promise<TurnUsage>) | undefined;
}

type Tried = Omit<TriggerResult, 'prompt'>;

/**
 * Starts a conversation with a prompt like the product would, with the same requests, and records
 * which skills are activated first. Stores nothing. Errors become results.
 */
export async function tryPrompt(asked: PromptTrial, signal: AbortSignal): Promise<Tried> {
  const began = performance.now();
  const seen = { activated: [] as string[], searched: false };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(tooSlow(asked.patienceMs)), asked.patienceMs);
  const world = asked.trial.world();
  const measured = world && measureAsking(world.models, () => seen.activated.length > 0);
  const found: Partial<Tried> = {};
  let usage: TurnUsage | undefined;
  try {
    if (!world || !measured) {
      throw problem('not-found', `Skill "${asked.trial.skill}" is no longer there.`);
    }
    const conversations = createDryRunStore();
    // A separate object, because turns share caches by contents, and each is measured separately.
    const contents = { ...world.contents() };
    const { models } = measured;
    const takeTurn = async () => {
      usage = await asked.takeTurn?.();
      return usage ?? notCounted;
    };
    const tools = { ...world, contents: () => contents, models, conversations, takeTurn };
    // With thousands of skills, each step takes some milliseconds: yield in between.
    const turn = await asked.oneAtATime(async () => {
      await yieldToEventLoop();
      const prepared = await prepareTurn(requestOf(asked), tools);
      await yieldToEventLoop();
      Object.assign(found, await rankOf(prepared, asked));
      await yieldToEventLoop();
      return prepared;
    });
    const ended = AbortSignal.any([signal, timeout.signal]);
    const log = asked.log.child({ skill: asked.trial.skill, model: asked.model });
    const send = (event: ChatEvent) => {
      Object.assign(found, recordEvent(event, seen));
      return undefined;
    };
    const journalTools = { conversations, log, observers: [], signal: ended, send };
    await runTurn(turn, { journal: await openJournal(turn, journalTools), log });
  } catch (error) {
    found.error = toTurnError(error, true);
  } finally {
    clearTimeout(timer);
    // A turn that did not run has not ended its usage.
    await usage?.end();
  }
  return {
    model: asked.model,
    outcome: outcomeOf(asked, seen.activated, found.error),
    ...seen,
    ...found,
    ...(measured?.cost ?? noCost),
    ms: Math.round(performance.now() - began),
  };
}

const notCounted: TurnUsage = { spend: () => undefined, end: async () => undefined };

function tooSlow(patienceMs: number): Problem {
  const seconds = Math.round(patienceMs / 1000);
  return problem('model-interrupted', `The model has not answered within ${seconds} seconds.`);
}

function requestOf({ trial: { caller, app }, prompt, model, language }: PromptTrial) {
  return {
    caller,
    callerNow: async () => caller,
    appId: app,
    conversationId: randomUUID(),
    body: { message: prompt.text, model },
    language,
  };
}

/** Rank of the skill by words, among those that a model may activate. */
async function rankOf(
  turn: PreparedTurn,
  { trial, prompt }: PromptTrial,
): Promise<Pick<Tried, 'rank'>> {
  const { view } = (await turn.access()).offered();
  const ranked = view
    .rank(prompt.text, view.skills.length)
    .filter(({ skill }) => skill.modelInvocable);
  const at = ranked.findIndex(({ skill }) => skill.id === trial.skill);
  return at < 0 ? {} : { rank: at + 1 };
}

/** Records activations by choice, not those by the app. */
function recordEvent(
  event: ChatEvent,
  seen: { activated: string[]; searched: boolean },
): Pick<Tried, 'via' | 'error'> {
  switch (event.type) {
    case 'skill.activation': {
      const { via, name } = event;
      if (via !== 'model' && via !== 'router') {
        return {};
      }
      seen.activated.push(name);
      return { via };
    }
    case 'tool.call.start':
      seen.searched ||= event.name === 'search_skills' || event.name === 'list_skills';
      return {};
    case 'error': {
      const { type: _, ...error } = event;
      return { error };
    }
    default:
      return {};
  }
}

function outcomeOf(
  { trial, prompt }: PromptTrial,
  activated: readonly string[],
  error: TurnError | undefined,
): Tried['outcome'] {
  const isActive = activated.includes(trial.skill);
  if (error && activated.length === 0) {
    return 'failed';
  }
  return prompt.expect ? (isActive ? 'hit' : 'miss') : isActive ? 'wrong-hit' : 'left-alone';
}

/** Counts the costs of requests to models. */
interface Measured {
  models: ModelList;
  /** The cost so far. */
  readonly cost: Readonly<Cost>;
}

/** A model that has written this many characters answers without a skill: stop it to save costs. */
const maxAnswerLength = 2000;

/** Allows for searches before the choice. */
const maxRequests = 6;

/**
 * Wraps models to count their requests, and stops them once the outcome is clear.
 *
 * @param isDecided whether further requests would tell nothing
 */
function measureAsking(models: ModelList, isDecided: () => boolean): Measured {
  const cost = { ...noCost };
  let requests = 0;
  const measured = (ask: AskModel): AskModel =>
    async function* askMeasured(request, signal) {
      if (isDecided() || requests >= maxRequests) {
        // Not `stop`: an empty answer with `stop` is an error.
        yield { type: 'stop', reason: 'length' };
        return;
      }
      requests += 1;
      const heard = { said: '', usage: undefined as Usage | undefined, isWhole: false };
      try {
        for await (const event of ask(request, signal)) {
          if (event.type === 'usage') {
            heard.usage = event;
          } else if (event.type === 'text' || event.type === 'thinking') {
            heard.said += event.text;
          }
          heard.isWhole ||= event.type === 'stop';
          yield event;
          if (event.type === 'text' && heard.said.length > maxAnswerLength) {
            yield { type: 'stop', reason: 'length' };
            return;
          }
        }
      } finally {
        add(cost, costOf(request, heard));
      }
    };
  return { models: { ...models, open: (model) => measured(models.open(model)) }, cost };
}

interface Usage {
  inputTokens: number;
  outputTokens: number;
}

type Cost = Usage & { isEstimated: boolean };

/** The cost without any request. */
const noCost: Readonly<Cost> = { inputTokens: 0, outputTokens: 0, isEstimated: false };

function add(sum: Cost, { inputTokens, outputTokens, isEstimated }: Cost): void {
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  sum.isEstimated ||= isEstimated;
}

/** Reported by the model after a complete answer; otherwise an estimate. */
function costOf(
  { system, messages, tools }: ModelRequest,
  { said, usage, isWhole }: { said: string; usage: Usage | undefined; isWhole: boolean },
): Cost {
  if (usage && isWhole) {
    return { ...usage, isEstimated: false };
  }
  const sent = [system, JSON.stringify(messages), JSON.stringify(tools)].join('\n');
  return {
    inputTokens: usage?.inputTokens || countTokens(sent),
    outputTokens: Math.max(usage?.outputTokens ?? 0, countTokens(said)),
    isEstimated: true,
  };
}
