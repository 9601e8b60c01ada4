import type { IncomingMessage } from 'node:http';
import { type ModelConfig, modelConfigSchema } from '@knowhow/shared/config/models';
import type { EmbedderConfig } from '@knowhow/shared/config/platform';
import { z } from 'zod';
import {
  JsonLimitExceeded,
  type JsonLimits,
  parseBoundedJson,
} from '../../platform/lib/json-meter.ts';
import { postText } from '../../platform/lib/post-text.ts';
import { addressRule } from './address-rule.ts';
import { ModelFailure } from './model-failure.ts';
import { findModelKey, type KeySources } from './model-key.ts';
import { providerProblem } from './provider-problem.ts';
import { findProvider } from './providers.ts';

/** Embedding model: converts texts into vectors that are close to each other if the texts are similar. */
export interface Embedder {
  /** Identifies the vector space: vectors with the same ID are comparable. */
  id: string;
  /** Maximum wait for a query's vector, in milliseconds. */
  maxWaitMs: number;
  /**
   * One vector of length 1 for each text, all with the same dimension. Throws an `EmbedderFailure`.
   *
   * @param patienceMs timeout
   */
  embed(texts: readonly string[], patienceMs: number): Promise<Float32Array[]>;
}

/** Why no vectors were returned; a sentence for administrators, without key and address. */
export class EmbedderFailure extends Error {
  /** Whether the input was rejected; fewer texts might be accepted. */
  readonly isOfTexts: boolean;

  constructor(
    message: string,
    { isOfTexts = false, cause }: { isOfTexts?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isOfTexts = isOfTexts;
  }
}

const maxDimensions = 8192;
/** Digits, sign, exponent, comma and whitespace. */
const bytesPerNumber = 32;
/** For everything besides the vectors, and for errors. */
const otherBytes = 64 * 1024;
/** Maximum brackets and braces in a response, in total and per vector; usually four and three. */
const maxBrackets = { around: 100, each: 10 };
const tooManyTokens = [400, 413, 422];

/**
 * An embedding model as configured in `platform.json`, at an OpenAI-compatible endpoint. Configuration errors are
 * thrown when it is first used.
 */
export function openEmbedder(config: EmbedderConfig, sources: KeySources): Embedder {
  const model = toModelConfig(config);
  const endpoint = getAddress(config);
  const found = findModelKey(model, sources);
  const embed = async (texts: readonly string[], patienceMs: number) => {
    if (!found.ready) {
      throw new EmbedderFailure(`The embedder needs ${found.needs}.`);
    }
    const { key } = found;
    try {
      const answer = await ask(new URL(endpoint), { key, patienceMs, config, texts });
      return parseVectors(answer, texts.length);
    } catch (error) {
      throw toFailure(error, model, { key, endpoint });
    }
  };
  return { id: `${config.modelId} ${endpoint}`, maxWaitMs: config.maxWaitMs, embed };
}

/** Treats it as a model, so that the same rules for keys and hosts apply. */
function toModelConfig(config: EmbedderConfig): ModelConfig {
  return modelConfigSchema.parse({ ...config, id: 'embedder', name: config.modelId });
}

function getAddress(config: EmbedderConfig): string {
  const provider = findProvider(config);
  if (provider.kind === 'built-in') {
    throw new Error(`"${config.provider}" has no address.`);
  }
  const base = provider.address({ ...config, url: '' }).replace(/\/chat\/completions$/, '');
  return addressRule({ base, path: 'embeddings' })(config);
}

interface Asking {
  key: string | undefined;
  patienceMs: number;
  config: EmbedderConfig;
  texts: readonly string[];
}

async function ask(endpoint: URL, { key, patienceMs, config, texts }: Asking): Promise<string> {
  const signal = AbortSignal.timeout(patienceMs);
  const body = { model: config.modelId, input: texts, encoding_format: 'float' };
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'knowhow',
    ...(key ? { authorization: `Bearer ${key}` } : {}),
  };
  try {
    const answer = await postText(endpoint, { headers, body: JSON.stringify(body), signal });
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 299) {
      const errorText = await readText(answer, otherBytes).catch(() => '');
      throw new ModelFailure({ kind: 'reported', status, headers: new Headers(), body: errorText });
    }
    return await readText(answer, otherBytes + texts.length * maxDimensions * bytesPerNumber);
  } catch (error) {
    if (signal.aborted) {
      throw new ModelFailure({ kind: 'no-answer', seconds: patienceMs / 1000 });
    }
    throw error instanceof ModelFailure || error instanceof EmbedderFailure
      ? error
      : new ModelFailure({ kind: 'unreachable', error });
  }
}

async function readText(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      answer.destroy();
      throw new EmbedderFailure('The embedder sent more than vectors take.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const answerSchema = z.object({ data: z.array(z.unknown()) });
const vectorsSchema = z.array(
  z.object({
    index: z.number().int().min(0).optional(),
    embedding: z.custom<number[]>(isVector),
  }),
);

/** A plain check, because a schema would take seconds to report millions of invalid items. */
function isVector(written: unknown): boolean {
  return (
    Array.isArray(written) &&
    written.length > 0 &&
    written.length <= maxDimensions &&
    written.every(Number.isFinite)
  );
}

function parseVectors(answer: string, texts: number): Float32Array[] {
  const listed = answerSchema.safeParse(parseAnswer(answer, texts)).data?.data;
  // Only as many as expected are validated; there may be a million.
  const data = vectorsSchema.safeParse(listed?.slice(0, texts)).data;
  if (!listed || !data) {
    throw new EmbedderFailure('The embedder sent something that is not a list of vectors.');
  }
  if (listed.length !== texts) {
    throw new EmbedderFailure(`The embedder sent ${listed.length} vectors for ${texts} texts.`);
  }
  const byIndex = new Map(data.map(({ index, embedding }, at) => [index ?? at, embedding]));
  const vectors = data.map((_, at) => unitVector(byIndex.get(at) ?? []));
  if (vectors.some((vector) => vector.length !== vectors[0]?.length)) {
    throw new EmbedderFailure('The embedder sent vectors of different lengths.');
  }
  return vectors;
}

function parseAnswer(answer: string, texts: number): unknown {
  const isFlat = hasFewBrackets(answer, maxBrackets.around + texts * maxBrackets.each);
  try {
    return isFlat ? parseBoundedJson(answer, limitsFor(texts)) : undefined;
  } catch (error) {
    if (error instanceof JsonLimitExceeded) {
      throw new EmbedderFailure(`The embedder sent more than ${error.message}.`, { cause: error });
    }
    return undefined;
  }
}

function limitsFor(texts: number): JsonLimits {
  return {
    maxBytes: Number.MAX_SAFE_INTEGER,
    maxDepth: 20,
    maxValues: maxBrackets.around + texts * (maxDimensions + maxBrackets.each),
    maxKeys: maxBrackets.around,
    maxStringBytes: otherBytes,
  };
}

/** Counts arrays and objects before parsing, because millions of them would exhaust memory. */
function hasFewBrackets(text: string, maxBytes: number): boolean {
  let opened = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0 && opened <= maxBytes; ) {
      opened += 1;
      at = text.indexOf(bracket, at + 1);
    }
  }
  return opened <= maxBytes;
}

function unitVector(numbers: readonly number[]): Float32Array {
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) {
    throw new EmbedderFailure('The embedder sent a vector without a direction.');
  }
  return Float32Array.from(numbers, (number) => number / length);
}

function toFailure(
  error: unknown,
  model: ModelConfig,
  secrets: { key: string | undefined; endpoint: string },
): EmbedderFailure {
  if (error instanceof EmbedderFailure) {
    return error;
  }
  const { message, reason } = providerProblem(error, model, secrets);
  const status =
    error instanceof ModelFailure && error.failure.kind === 'reported' && error.failure.status;
  const errorText = reason === undefined ? message : `${message} It said: ${reason}`;
  return new EmbedderFailure(errorText, {
    isOfTexts: tooManyTokens.includes(status || 0),
    cause: error,
  });
}
