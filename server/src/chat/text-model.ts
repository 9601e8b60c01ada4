import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Caller } from '../access/caller.ts';
import type { TurnUsage } from '../access/quotas/quotas.ts';
import type { AskModel } from '../models/model.ts';
import type { Sampling, ToolCall } from '../tools/tool-source.ts';
import { askForText } from './ask-for-text.ts';
import type { ListedModel, ModelList } from './model-list.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import type { TurnAccess } from './turn-access.ts';
import { windowOf } from './window.ts';

/** So often a call may ask. */
const mostRequests = 8;
const maxOutputTokens = 4096;
const charactersPerToken = 3;

type TextModel = NonNullable<ToolCall['model']>;

interface Question {
  system: string;
  messages: { role: 'user'; content: string }[];
  temperature?: number;
  maxOutputTokens: number;
}

/**
 * The turn's model, for one call of a tool: it is given a text alone, neither conversation nor tools. Throws what
 * it throws, and when it is asked too often or too much.
 */
export function textModel(turn: PreparedTurn, access: TurnAccess, signal: AbortSignal): TextModel {
  const { app, model, ask } = access;
  return boundedModel({ app, model }, (question) =>
    askForText(turn, { purpose: 'tool', access, asked: { model, ask }, signal, ...question }),
  );
}

interface Lone {
  caller: Caller;
  app: AppConfig;
  models: ModelList;
  /** Counts a turn of the caller, once the model is asked; throws where it is too many. */
  takeTurn?: ((caller: Caller) => Promise<TurnUsage>) | undefined;
  signal: AbortSignal;
}

/** The same outside of any conversation, with the first model of an app; undefined where the caller has none. */
export function loneTextModel({
  caller,
  app,
  models,
  takeTurn,
  signal,
}: Lone): TextModel | undefined {
  const [model] = models.usable(caller.permissions, app);
  if (!model) {
    return undefined;
  }
  let begun: Promise<TurnUsage> | undefined;
  return boundedModel({ app, model }, async (question) => {
    begun ??= takeTurn?.(caller);
    const usage = await begun;
    try {
      return await askAlone(models.open(model), question, { signal, count: usage?.spend });
    } finally {
      await usage?.end();
    }
  });
}

async function askAlone(
  ask: AskModel,
  question: Question,
  { signal, count }: { signal: AbortSignal; count: ((tokens: number) => void) | undefined },
): Promise<string> {
  let text = '';
  for await (const event of ask({ ...question, tools: [] }, signal)) {
    if (event.type === 'text') {
      text += event.text;
    } else if (event.type === 'text-was-thinking') {
      text = '';
    } else if (event.type === 'usage') {
      count?.(event.inputTokens + event.outputTokens);
    }
  }
  return text;
}

function boundedModel(
  { app, model }: { app: AppConfig; model: ListedModel },
  send: (question: Question) => Promise<string>,
): TextModel {
  const longest = windowOf(model.config, app).request * charactersPerToken;
  let left = mostRequests;
  return (prompt, { temperature, maxTokens }: Sampling = {}) => {
    if (left === 0) {
      throw new Error(`The model can be asked ${mostRequests} times in one call of a tool.`);
    }
    if (prompt.length > longest) {
      throw new Error(`A prompt for the model has at most ${longest} characters.`);
    }
    left -= 1;
    const most = Math.min(maxTokens ?? maxOutputTokens, app.tokenLimit ?? Number.POSITIVE_INFINITY);
    return send({
      ...(temperature === undefined ? {} : { temperature }),
      ...{ system: '', messages: [{ role: 'user', content: prompt }], maxOutputTokens: most },
    });
  };
}
