import type { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { localize } from '@knowhow/shared/config/localized';
import { Problem } from '@knowhow/shared/problem';
import type { z } from 'zod';
import type { ListedModel } from '../../chat/index.ts';
import { type AskModel, describeWithheld, type ModelRequest } from '../../models/index.ts';

type Trial = z.output<typeof adminModelsApi.test.response>;
type Why = Pick<Trial, 'message' | 'reason'>;

const request: ModelRequest = {
  system: '',
  messages: [{ role: 'user', content: 'Reply with the word OK.' }],
  tools: [],
};
/** Sufficient to see that it responds. */
const maxCharacters = 200;

/**
 * Sends a short request to a model. Errors are described in a sentence, without key or URL.
 *
 * @param limitMs timeout of the whole answer
 */
export async function testModel(
  { config, needs, withheld }: ListedModel,
  open: () => AskModel,
  limitMs = 20_000,
): Promise<Trial> {
  const model = `The model "${localize(config.name, 'en')}"`;
  if (needs !== undefined) {
    const message = withheld
      ? `${model} is not asked. ${describeWithheld(withheld)}`
      : `${model} has no key. Enter that of ${needs} under Models, or set it in the environment and start Knowhow again.`;
    return { works: false, milliseconds: 0, message };
  }
  const began = performance.now();
  const signal = AbortSignal.timeout(limitMs);
  let firstTokenAt: number | undefined;
  let answer = '';
  const milliseconds = () => Math.round((firstTokenAt ?? performance.now()) - began);
  try {
    for await (const event of open()(request, signal)) {
      firstTokenAt ??= event.type === 'retry' ? undefined : performance.now();
      answer += event.type === 'text' ? event.text : '';
      answer = event.type === 'text-was-thinking' ? '' : answer;
      if (answer.length > maxCharacters) {
        break;
      }
    }
  } catch (error) {
    const why = signal.aborted ? tooSlow(model, limitMs) : explained(error);
    return { works: false, milliseconds: milliseconds(), ...why };
  }
  const text = answer.trim().slice(0, maxCharacters);
  return text === ''
    ? { works: false, milliseconds: milliseconds(), message: `${model} gave an empty answer.` }
    : { works: true, milliseconds: milliseconds(), answer: text };
}

function tooSlow(model: string, limitMs: number): Why {
  const message = `${model} took longer than ${limitMs / 1000} seconds. Check that its server runs and that its url is right, or try again.`;
  return { message };
}

/** Provider errors are problems with a message; other errors are bugs. */
function explained(error: unknown): Why {
  if (error instanceof Problem) {
    const { message, reason } = error;
    return { message, ...(reason === undefined ? {} : { reason }) };
  }
  throw error;
}
