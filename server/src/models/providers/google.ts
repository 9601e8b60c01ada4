import type {
  FinishReason,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  GoogleGenAI,
  Part,
} from '@google/genai';
import type { ModelConfig } from '@knowhow/shared/config/models';
import { endsWithVersion, trimSlashes } from '../address-rule.ts';
import { newCallId } from '../collect-tool-calls.ts';
import type { StreamAnswer } from '../guard-answer.ts';
import type { ModelEvent, ModelToolCall } from '../model.ts';
import { ModelFailure } from '../model-failure.ts';
import type { NetworkProvider } from '../provider.ts';
import { usageEvent } from '../usage-event.ts';
import { vendorState } from '../vendor-state.ts';
import { googleBody } from './google-body.ts';

/** Google's Gemini API. */
export const google: NetworkProvider = {
  kind: 'network',
  id: 'google',
  label: { en: 'Google', de: 'Google' },
  keyVariable: 'GOOGLE_API_KEY',
  keyHeader: ['x-goog-api-key', ''],
  address: googleAddress,
  ask: askGoogle,
};

/** The address names the model and the method too: `…/v1beta/models/<model>:streamGenerateContent`. */
function googleAddress({ url: address, modelId }: Pick<ModelConfig, 'url' | 'modelId'>): string {
  const url = new URL(address || 'https://generativelanguage.googleapis.com');
  const path = trimSlashes(url.pathname).replace(/:\w+$/, '');
  const base = path.replace(/(^|\/)models$/, '');
  const model = `models/${modelId.replace(/^models\//, '')}`;
  const named = /(^|\/)models\/[^/]+$/.test(path)
    ? path
    : [base, endsWithVersion(base) ? '' : 'v1beta', model].filter(Boolean).join('/');
  url.pathname = `${named}:streamGenerateContent`;
  url.searchParams.set('alt', 'sse');
  return url.href;
}

function askGoogle(config: ModelConfig, fetch: typeof globalThis.fetch): StreamAnswer {
  let client: Promise<GoogleGenAI> | undefined;
  return async function* answer(request, signal) {
    client ??= createClient(fetch);
    const body = googleBody(request, config);
    const { models } = await client;
    yield* readChunks(
      await models.generateContentStream({
        ...body,
        config: { ...body.config, abortSignal: signal },
      }),
    );
  };
}

/** What is set here keeps the client from the `GOOGLE_…` and `GEMINI_…` variables. */
async function createClient(fetch: typeof globalThis.fetch): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import('@google/genai');
  return new Client({
    apiKey: 'held-by-our-fetch',
    vertexai: false,
    httpOptions: { fetch, baseUrl: 'http://model.invalid', apiVersion: 'v1beta' },
  });
}

async function* readChunks(
  stream: AsyncIterable<GenerateContentResponse>,
): AsyncGenerator<ModelEvent> {
  const parts: Part[] = [];
  const calls: ModelToolCall[] = [];
  for await (const { candidates, promptFeedback, usageMetadata } of stream) {
    if (promptFeedback?.blockReason) {
      throw new ModelFailure({ kind: 'refused' });
    }
    const candidate = candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) {
      keep(part, parts);
      if (part.functionCall) {
        const { id, name, args } = part.functionCall;
        calls.push({ id: id || newCallId(), name: name ?? '', input: args ?? {} });
      }
      if (part.text) {
        yield { type: part.thought ? 'thinking' : 'text', text: part.text };
      }
    }
    // Every chunk says what it has cost so far.
    if (candidate?.finishReason && usageMetadata) {
      yield usageOf(usageMetadata);
    }
    if (candidate?.finishReason) {
      yield* finish(candidate.finishReason, calls, parts);
    }
  }
}

function usageOf(usage: GenerateContentResponseUsageMetadata): ModelEvent {
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage;
  return usageEvent({
    inputTokens: usage.promptTokenCount,
    cachedTokens: usage.cachedContentTokenCount,
    outputTokens: candidatesTokenCount + thoughtsTokenCount,
  });
}

/** Keeps what goes back: all but the summaries of its thinking; signatures stay with their part. */
function keep(part: Part, parts: Part[]): void {
  const last = parts.at(-1);
  if (!part.thoughtSignature && (part.thought || part.text === '')) {
    return;
  }
  if (isPlainText(part) && last && isPlainText(last)) {
    last.text += part.text;
    return;
  }
  parts.push({ ...part });
}

function isPlainText(part: Part): part is Part & { text: string } {
  return part.text !== undefined && !part.thought && !part.thoughtSignature;
}

const refusals: ReadonlySet<`${FinishReason}`> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
]);

function* finish(
  reason: `${FinishReason}`,
  calls: ModelToolCall[],
  parts: Part[],
): Generator<ModelEvent> {
  if (refusals.has(reason)) {
    throw new ModelFailure({ kind: 'refused' });
  }
  if (reason === 'MAX_TOKENS') {
    for (const call of calls) {
      yield { type: 'tool-call', call: { ...call, isCut: true } };
    }
    yield { type: 'stop', reason: 'length' };
    return;
  }
  if (reason !== 'STOP') {
    throw new ModelFailure({ kind: 'reported', body: reason });
  }
  for (const call of calls) {
    yield { type: 'tool-call', call };
  }
  if (calls.length > 0) {
    yield vendorState('google', parts);
  }
  yield { type: 'stop', reason: calls.length > 0 ? 'tool-calls' : 'stop' };
}
