import type { ModelConfig } from '@knowhow/shared/models';
import { isLoopback } from './model-endpoint.ts';

export type ModelKey =
  /** The model can be asked; with this key, or with none. */
  | { ready: true; key: string | undefined }
  /** The model waits for this environment variable. */
  | { ready: false; needs: string };

const vendorKey: Partial<Record<ModelConfig['provider'], string>> = {
  openai: 'OPENAI_API_KEY',
  'openai-responses': 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
  mistral: 'MISTRAL_API_KEY',
};

/** Finds a model's key among the environment's: the one for this model alone, then its vendor's. */
export function modelKey(
  config: ModelConfig,
  keys: Readonly<Record<string, string | undefined>>,
): ModelKey {
  const names = modelKeyNames(config);
  const key = names.map((name) => keys[name]).find(Boolean);
  const needs = names.at(-1);
  if (key === undefined && needs !== undefined && needsKey(config)) {
    return { ready: false, needs };
  }
  return { ready: true, key };
}

/** The environment variables that may hold a model's key, the most particular one first. */
export function modelKeyNames(config: ModelConfig): string[] {
  if (config.provider === 'demo') {
    return [];
  }
  const own = `${config.id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY`;
  const vendor = vendorKey[config.provider];
  return vendor === undefined || vendor === own ? [own] : [own, vendor];
}

function needsKey({ provider, url }: ModelConfig): boolean {
  return provider !== 'local' && !(url && isLoopback(url));
}
