import type {
  Candidate,
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
import { streamedResponse } from '../model-fetch.ts';
import type { NetworkProvider } from '../provider.ts';
import { readSse } from '../read-sse.ts';
import { usageEvent } from '../usage-event.ts';
import { vendorState } from '../vendor-state.ts';
import { googleBody } from './google-body.ts';

/** Google's Gemini API. */
export const google: NetworkProvider = {
  kind: 'network',
  id: 'google',
  label: 'Google',
  keyVariable: 'GOOGLE_API_KEY',
  keyHeader: ['x-goog-api-key', ''],
  address: googleAddress,
  ask: askGoogle,
};

/** The URL includes model and method: `…/v1beta/models/<model>:streamGenerateContent`. */
function googleAddress({ url: address, modelId }: Pick<ModelConfig, 'url' | 'modelId'>): string {
  const url = new URL(address || 'https://generativelanguage.googleapis.com');
  const path = trimSlashes(url.pathname).replace(/:\w+$/, '');
  const base = path.replace(/(^|\/)models$/, '');
  const model = `models/${modelId.replace(/^models\//, '')}`;
  const fullPath = /(^|\/)models\/[^/]+$/.test(path)
    ? path
    : [base, endsWithVersion(base) ? '' : 'v1beta', model].filter(Boolean).join('/');
  url.pathname = `${fullPath}:streamGenerateContent`;
  url.searchParams.set('alt', 'sse');
  return url.href;
}

function askGoogle(config: ModelConfig, fetch: typeof globalThis.fetch): StreamAnswer {
  let client: Promise<GoogleGenAI> | undefined;
  return async function* answer(request, signal) {
    client ??= createClient(fetch);
    const sent = googleBody(request, config);
    const body = { ...sent, ...request.adaptBody?.(sent) };
    const { models } = await client;
    yield* readChunks(
      await models.generateContentStream({
        ...body,
        config: { ...body.config, abortSignal: signal },
      }),
    );
  };
}

/** Normalises the stream, because Google's client parses it less tolerantly than `readSse`. */
function normaliseStream(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (address, init) => {
    const response = await fetch(address, init);
    return response.body ? streamedResponse(normaliseEvents(response.body)) : response;
  };
}

async function* normaliseEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const values of readSse(body)) {
    yield encoder.encode(values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join(''));
  }
}

/** These options stop the client from reading `GOOGLE_…` and `GEMINI_…` variables. */
async function createClient(fetch: typeof globalThis.fetch): Promise<GoogleGenAI> {
  const { GoogleGenAI: Client } = await import('@google/genai');
  return new Client({
    apiKey: 'held-by-our-fetch',
    vertexai: false,
    httpOptions: {
      fetch: normaliseStream(fetch),
      baseUrl: 'http://model.invalid',
      apiVersion: 'v1beta',
    },
  });
}

async function* readChunks(
  stream: AsyncIterable<GenerateContentResponse>,
): AsyncGenerator<ModelEvent> {
  const parts: Part[] = [];
  const calls: ModelToolCall[] = [];
  let isGemini = false;
  let hasCandidate = false;
  for await (const { candidates, promptFeedback, usageMetadata, modelVersion } of stream) {
    if (promptFeedback?.blockReason) {
      throw new ModelFailure({ kind: 'refused' });
    }
    const candidate = candidates?.[0];
    isGemini ||= Boolean(candidates ?? usageMetadata ?? modelVersion);
    hasCandidate ||= candidate !== undefined;
    for (const part of candidate?.content?.parts ?? []) {
      collectPart(part, parts);
      if (part.functionCall) {
        const { id, name, args } = part.functionCall;
        calls.push({ id: id || newCallId(), name: name ?? '', input: args ?? {} });
      }
      if (part.text) {
        yield { type: part.thought ? 'thinking' : 'text', text: part.text };
      }
    }
    // Every chunk reports the usage so far.
    if (candidate?.finishReason && usageMetadata) {
      yield toUsageEvent(usageMetadata);
    }
    if (candidate?.finishReason) {
      yield* finish(candidate, calls, parts);
    }
  }
  if (isGemini && !hasCandidate) {
    throw new ModelFailure({ kind: 'no-candidate' });
  }
}

function toUsageEvent(usage: GenerateContentResponseUsageMetadata): ModelEvent {
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage;
  return usageEvent({
    inputTokens: usage.promptTokenCount,
    cachedTokens: usage.cachedContentTokenCount,
    outputTokens: candidatesTokenCount + thoughtsTokenCount,
  });
}

/** Collects parts to send back: all except thinking summaries; signatures stay with their part. */
function collectPart(part: Part, parts: Part[]): void {
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
  { finishReason: reason, finishMessage }: Candidate,
  calls: ModelToolCall[],
  parts: Part[],
): Generator<ModelEvent> {
  if (reason && refusals.has(reason)) {
    throw new ModelFailure({ kind: 'refused' });
  }
  if (reason === 'MAX_TOKENS') {
    for (const call of calls) {
      yield { type: 'tool-call', call: { ...call, isTruncated: true } };
    }
    yield { type: 'stop', reason: 'length' };
    return;
  }
  if (reason !== 'STOP') {
    const body = [reason, finishMessage].filter(Boolean).join(': ');
    throw new ModelFailure({ kind: 'reported', body });
  }
  for (const call of calls) {
    yield { type: 'tool-call', call };
  }
  // Gemini also signs the text of answers without calls.
  if (calls.length > 0 || parts.some(({ thoughtSignature }) => thoughtSignature)) {
    yield vendorState('google', parts);
  }
  yield { type: 'stop', reason: calls.length > 0 ? 'tool-calls' : 'stop' };
}
