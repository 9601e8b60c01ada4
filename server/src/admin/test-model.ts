import type { adminModelsApi } from '@knowhow/shared/admin-config';
import { localize } from '@knowhow/shared/localized';
import { Problem } from '@knowhow/shared/problem';
import type { z } from 'zod';
import type { ListedModel } from '../chat/model-list.ts';
import type { AskModel, ModelRequest } from '../models/model.ts';

type Trial = z.output<typeof adminModelsApi.test.response>;

const request: ModelRequest = {
  system: '',
  messages: [{ role: 'user', content: 'Reply with the word OK.' }],
  tools: [],
};
/** Enough to see that it speaks. */
const maxCharacters = 200;

/**
 * Asks a model for a word. What goes wrong is told in a sentence, without key or address.
 *
 * @param limitMs how long the whole answer may take
 */
export async function testModel(
  { config, needs }: ListedModel,
  open: () => AskModel,
  limitMs = 20_000,
): Promise<Trial> {
  const model = `The model "${localize(config.name, 'en')}"`;
  if (needs !== undefined) {
    const message = `${model} has no key. Set ${needs} in the environment, then start Knowhow again.`;
    return { works: false, milliseconds: 0, message };
  }
  const began = performance.now();
  const signal = AbortSignal.timeout(limitMs);
  let heardAt: number | undefined;
  let answer = '';
  const milliseconds = () => Math.round((heardAt ?? performance.now()) - began);
  try {
    for await (const event of open()(request, signal)) {
      heardAt ??= performance.now();
      answer += event.type === 'text' ? event.text : '';
      if (answer.length > maxCharacters) {
        break;
      }
    }
  } catch (error) {
    const message = signal.aborted ? tooSlow(model, limitMs) : sentenceOf(error);
    return { works: false, milliseconds: milliseconds(), message };
  }
  const words = answer.trim().slice(0, maxCharacters);
  return words === ''
    ? { works: false, milliseconds: milliseconds(), message: `${model} answered without a word.` }
    : { works: true, milliseconds: milliseconds(), answer: words };
}

function tooSlow(model: string, limitMs: number): string {
  return `${model} took longer than ${limitMs / 1000} seconds. Check that its server runs and that its url is right, or try again.`;
}

/** Whatever a provider does is a problem with a sentence; all else is a mistake of ours. */
function sentenceOf(error: unknown): string {
  if (error instanceof Problem) {
    return error.message;
  }
  throw error;
}
