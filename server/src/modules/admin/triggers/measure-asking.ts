import { countTokens } from '../../../platform/lib/count-tokens.ts';
import type { ModelList } from '../../chat/model-list.ts';
import type { AskModel, ModelRequest } from '../../models/model.ts';

/** Counts the costs of requests to models. */
export interface Measured {
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
export function measureAsking(models: ModelList, isDecided: () => boolean): Measured {
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
export const noCost: Readonly<Cost> = { inputTokens: 0, outputTokens: 0, isEstimated: false };

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
