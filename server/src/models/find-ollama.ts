import type { ModelConfig } from '@knowhow/shared/config/models';
import { z } from 'zod';
import { readBoundedJson } from '../lib/json-meter.ts';
import { local, ollamaOrigin } from './providers/local.ts';

interface FindOllamaOptions {
  origin?: string;
  signal?: AbortSignal;
  /** Milliseconds each of the two steps may take: the start of Knowhow waits for no one. */
  patienceMs?: number;
}

/** Asks one path; without a body with GET. */
type Ask = (path: string, body?: Record<string, unknown>) => Promise<unknown>;

/** Whatever answers at the port of Ollama may be something else. */
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
});

/** The models of an Ollama that runs on this machine; none when there is no Ollama. */
export async function findOllama({
  origin = ollamaOrigin,
  signal,
  patienceMs = 300,
}: FindOllamaOptions = {}): Promise<ModelConfig[]> {
  const ask: Ask = (path, body) => {
    const timeout = AbortSignal.timeout(patienceMs);
    return askOllama(origin + path, body, signal ? AbortSignal.any([signal, timeout]) : timeout);
  };
  try {
    const tags = tagsSchema.parse(await ask('/api/tags'));
    const found = await Promise.all(
      tags.models.slice(0, maxModels).map(({ name }) => describe(origin, name, ask)),
    );
    return found.flatMap((model) => model ?? []);
  } catch {
    return [];
  }
}

/** Undefined for a model that does not chat, such as one for embeddings. */
async function describe(
  origin: string,
  modelId: string,
  ask: Ask,
): Promise<ModelConfig | undefined> {
  const shown = await ask('/api/show', { model: modelId }).catch(() => ({}));
  const { capabilities, model_info = {} } = showSchema.catch({}).parse(shown);
  if (capabilities && !capabilities.includes('completion')) {
    return undefined;
  }
  const name = modelId.replace(/:latest$/, '');
  const contextKey = Object.keys(model_info).find((key) => key.endsWith('.context_length'));
  const contextWindow = contextKey === undefined ? undefined : model_info[contextKey];
  return {
    id: `ollama-${name.toLowerCase().replaceAll(/[^a-z0-9._]+/g, '-')}`.slice(0, 100),
    modelId,
    name: `${name} (Ollama)`,
    provider: local.id,
    url: local.address({ url: origin, modelId }),
    // Older servers do not say: a tool that is refused is worse than one that is not offered.
    supportsTools: capabilities?.includes('tools') ?? false,
    supportsVision: capabilities?.includes('vision') ?? false,
    ...(typeof contextWindow === 'number' ? { contextWindow } : {}),
  };
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
