import type { ModelConfig } from '@knowhow/shared/config/models';
import { z } from 'zod';
import { readBoundedJson } from '../../platform/lib/json-meter.ts';
import { local, ollamaOrigin } from './providers/local.ts';

interface FindOllamaOptions {
  origin?: string;
  signal?: AbortSignal;
  /** Timeout per request in milliseconds; short, because startup waits for it. */
  timeoutMs?: number;
}

/** Sends a request: POST with a body, else GET. */
type Ask = (path: string, body?: Record<string, unknown>) => Promise<unknown>;

/** Limits for responses; another service may be listening on Ollama's port. */
const limits = {
  maxBytes: 4 * 1024 * 1024,
  maxDepth: 32,
  maxValues: 20_000,
  maxKeys: 2000,
  maxStringBytes: 2 * 1024 * 1024,
};
const maxModels = 200;

const tagsSchema = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });

const showSchema = z.object({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
  /** Lines such as `num_ctx    8192` from the model's Modelfile. */
  parameters: z.string().optional(),
});

/** The loaded models with their context windows; older versions do not report these. */
const runningSchema = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.number().int().positive() })),
});

/**
 * Ollama's default context window, regardless of the model. Longer prompts are silently truncated at their beginning.
 * `OLLAMA_CONTEXT_LENGTH` of its server changes it.
 */
const defaultWindow = 4096;

/** Discovers the models of a local Ollama; none if it is not running. */
export async function findOllama({
  origin = ollamaOrigin,
  signal,
  timeoutMs = 300,
}: FindOllamaOptions = {}): Promise<ModelConfig[]> {
  const ask: Ask = (path, body) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    return askOllama(origin + path, body, signal ? AbortSignal.any([signal, timeout]) : timeout);
  };
  try {
    const tags = tagsSchema.parse(await ask('/api/tags'));
    const running = await ask('/api/ps').catch(() => undefined);
    const { models: loaded } = runningSchema.catch({ models: [] }).parse(running);
    const windows = new Map(loaded.map((model) => [model.name, model.context_length]));
    const found = await Promise.all(
      tags.models
        .slice(0, maxModels)
        .map(({ name }) => describe({ origin, modelId: name, served: windows.get(name) }, ask)),
    );
    return found.flatMap((model) => model ?? []);
  } catch {
    return [];
  }
}

/** Undefined for a model that cannot chat, such as an embedding model. */
async function describe(
  { origin, modelId, served }: { origin: string; modelId: string; served: number | undefined },
  ask: Ask,
): Promise<ModelConfig | undefined> {
  const shown = await ask('/api/show', { model: modelId }).catch(() => ({}));
  const { capabilities, model_info = {}, parameters } = showSchema.catch({}).parse(shown);
  if (capabilities && !capabilities.includes('completion')) {
    return undefined;
  }
  const name = modelId.replace(/:latest$/, '');
  const contextWindow =
    served ?? Math.min(setWindow(parameters) ?? defaultWindow, maxWindow(model_info));
  return {
    id: `ollama-${name.toLowerCase().replaceAll(/[^a-z0-9._]+/g, '-')}`.slice(0, 100),
    modelId,
    name: `${name} (Ollama)`,
    provider: local.id,
    url: local.address({ url: origin, modelId }),
    // Older versions do not report capabilities; a rejected tool is worse than one not offered.
    supportsTools: capabilities?.includes('tools') ?? false,
    supportsVision: capabilities?.includes('vision') ?? false,
    contextWindow,
    default: false,
    enabled: true,
  };
}

/** The context window set in the model's Modelfile. */
function setWindow(parameters = ''): number | undefined {
  const number = Number(/^num_ctx\s+(\d{1,9})\s*$/m.exec(parameters)?.[1]);
  return number > 0 ? number : undefined;
}

/** The context window that the model was trained for. */
function maxWindow(info: Record<string, unknown>): number {
  const key = Object.keys(info).find((each) => each.endsWith('.context_length')) ?? '';
  const length = info[key];
  return typeof length === 'number' && length > 0 ? length : Number.POSITIVE_INFINITY;
}

async function askOllama(
  url: string,
  body: Record<string, unknown> | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    body: body && JSON.stringify(body),
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`Ollama answered ${response.status}`);
  }
  return readBoundedJson(response.body, limits);
}
