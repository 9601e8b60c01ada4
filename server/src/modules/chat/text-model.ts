import type { AppConfig } from '@knowhow/shared/config/app-config';
import type { Caller, TurnUsage } from '../identity/index.ts';
import type { AskModel, ModelRequest } from '../models/index.ts';
import type { Sampling, ToolCall } from '../tools/index.ts';
import { askForText } from './ask-for-text.ts';
import type { ListedModel, ModelList } from './model-list.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import type { TurnAccess } from './turn-access.ts';
import { allocateWindow } from './window.ts';

/** Maximum requests per tool call. */
const maxRequests = 8;
const maxOutputTokens = 4096;
const charactersPerToken = 3;

type TextModel = NonNullable<ToolCall['model']>;

interface Question {
  system: string;
  messages: { role: 'user'; content: string }[];
  temperature?: number;
  maxOutputTokens: number;
  answerSchema?: ModelRequest['answerSchema'];
}

/**
 * Gives a tool call access to the turn's model, with a prompt alone: neither conversation nor tools. Throws the
 * model's errors, and if the limits are exceeded.
 */
export function textModel(turn: PreparedTurn, access: TurnAccess, signal: AbortSignal): TextModel {
  const { app, model, ask } = access;
  return boundedModel({ app, model }, (question) =>
    askForText(turn, { purpose: 'tool', access, asked: { model, ask }, signal, ...question }),
  );
}

interface Asking {
  signal: AbortSignal;
  /** Called with the tokens that the request took. */
  count: ((tokens: number) => void) | undefined;
  /** Called with the text so far. */
  onText?: (text: string) => void;
}

interface StandaloneRequest {
  caller: Caller;
  app: AppConfig;
  models: ModelList;
  /** Counts a turn of the caller when the model is first asked; throws if the quota is used up. */
  takeTurn?: ((caller: Caller) => Promise<TurnUsage>) | undefined;
  signal: AbortSignal;
}

/** The same outside any conversation, with the first model of an app; undefined if the caller has none. */
export function standaloneTextModel({
  caller,
  app,
  models,
  takeTurn,
  signal,
}: StandaloneRequest): TextModel | undefined {
  const [model] = models.usable(caller.permissions, app);
  if (!model) {
    return undefined;
  }
  let turnUsage: Promise<TurnUsage> | undefined;
  return boundedModel({ app, model }, async (question) => {
    turnUsage ??= takeTurn?.(caller);
    const usage = await turnUsage;
    try {
      return await askWithoutTurn(models.open(model), question, { signal, count: usage?.spend });
    } finally {
      await usage?.end();
    }
  });
}

/** Sends a model a request outside any turn, and returns the text that it writes. */
export async function askWithoutTurn(
  ask: AskModel,
  question: Question,
  { signal, count, onText }: Asking,
): Promise<string> {
  let text = '';
  for await (const event of ask({ ...question, tools: [] }, signal)) {
    if (event.type === 'text') {
      text += event.text;
      onText?.(text);
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
  const maxPromptLength = allocateWindow(model.config, app).request * charactersPerToken;
  let remaining = maxRequests;
  return (prompt, { temperature, maxTokens: wanted }: Sampling = {}) => {
    if (remaining === 0) {
      throw new Error(`The model can be asked ${maxRequests} times in one call of a tool.`);
    }
    if (prompt.length > maxPromptLength) {
      throw new Error(`A prompt for the model has at most ${maxPromptLength} characters.`);
    }
    remaining -= 1;
    const maxTokens = Math.min(
      wanted ?? maxOutputTokens,
      app.tokenLimit ?? Number.POSITIVE_INFINITY,
    );
    return send({
      ...(temperature === undefined ? {} : { temperature }),
      system: '',
      messages: [{ role: 'user', content: prompt }],
      maxOutputTokens: maxTokens,
    });
  };
}
