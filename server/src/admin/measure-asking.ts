import type { ModelList } from '../chat/model-list.ts';
import { countTokens } from '../lib/count-tokens.ts';
import type { AskModel, ModelRequest } from '../models/model.ts';

/** What requests to models have cost, while they are made. */
export interface Measured {
  models: ModelList;
  /** As much as it is by now. */
  readonly cost: Readonly<Cost>;
}

/** A model that has said so much, in characters, answers without a skill: the rest is not paid for. */
const enough = 2000;
/** It may search before it chooses. */
const mostRequests = 6;

/**
 * Models whose requests are counted, and that are not asked on when it is known what they do.
 *
 * @param isDecided whether a further request would tell nothing
 */
export function measureAsking(models: ModelList, isDecided: () => boolean): Measured {
  const cost = { ...noCost };
  let requests = 0;
  const measured = (ask: AskModel): AskModel =>
    async function* askMeasured(request, signal) {
      if (isDecided() || requests >= mostRequests) {
        // Not `stop`: an empty answer that simply stops is an error.
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
          if (event.type === 'text' && heard.said.length > enough) {
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

/** Of what was not asked. */
export const noCost: Readonly<Cost> = { inputTokens: 0, outputTokens: 0, isEstimated: false };

function add(sum: Cost, { inputTokens, outputTokens, isEstimated }: Cost): void {
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  sum.isEstimated ||= isEstimated;
}

/** As the model reports it at the end of a whole answer; else an estimate. */
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
