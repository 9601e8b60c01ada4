import type { FinishReason, GenerateContentResponse, Part } from '@google/genai';
import { dataEvent, usualUsage, type VendorWire, type WireAnswer } from './vendor-wire.ts';

/**
 * The wire format of Gemini's `streamGenerateContent`: calls arrive complete, with a thought
 * signature.
 */
export const googleWire: VendorWire = {
  provider: 'google',
  modelId: 'gemini-3-pro',
  path: '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
  keyHeader: ['x-goog-api-key', 'secret-key'],
  answer: (answer) => [
    ...(answer.thinking ? [chunk([{ text: answer.thinking, thought: true }], answer)] : []),
    ...(answer.text ?? []).map((text) => chunk([{ text }], answer)),
    ...(answer.calls ? [chunk(callParts(answer), answer)] : []),
    chunk([{ text: '' }], answer, finishReason(answer)),
  ],
  errorEvent: dataEvent({
    error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' },
  }),
  errorBody: (message) =>
    JSON.stringify({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  contextFull: {
    status: 400,
    body: JSON.stringify({
      error: {
        code: 400,
        message:
          'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        status: 'INVALID_ARGUMENT',
      },
    }),
  },
};

/** The parts of an answer's calls; the first carries the signature. */
export function callParts({ calls = [] }: WireAnswer): Part[] {
  return calls.map(({ id, name, arguments: pieces }, index) => ({
    functionCall: { id, name, args: JSON.parse(pieces.join('')) },
    ...(index === 0 ? { thoughtSignature: 'signed-thought' } : {}),
  }));
}

type WireChunk = Pick<GenerateContentResponse, 'usageMetadata' | 'modelVersion'> & {
  candidates: { content: { role: 'model'; parts: Part[] }; finishReason?: `${FinishReason}` }[];
};

function chunk(
  parts: Part[],
  { usage = usualUsage }: WireAnswer,
  finishReason?: `${FinishReason}`,
): string {
  const thoughtsTokenCount = 2;
  return dataEvent({
    candidates: [{ content: { role: 'model', parts }, finishReason }],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      cachedContentTokenCount: 2,
      candidatesTokenCount: usage.outputTokens - thoughtsTokenCount,
      thoughtsTokenCount,
    },
    modelVersion: 'gemini-3-pro',
  } satisfies WireChunk);
}

function finishReason({ stop }: WireAnswer): `${FinishReason}` {
  if (stop === 'refused') {
    return 'SAFETY';
  }
  return stop === 'length' ? 'MAX_TOKENS' : 'STOP';
}
