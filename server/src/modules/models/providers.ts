import type { ModelConfig } from '@knowhow/shared/config/models';
import type { Provider } from './provider.ts';
import { anthropic } from './providers/anthropic.ts';
import { demo } from './providers/demo.ts';
import { google } from './providers/google.ts';
import { local } from './providers/local.ts';
import { mistral } from './providers/mistral.ts';
import { openai } from './providers/openai.ts';
import { openaiResponses } from './providers/openai-responses.ts';

/** All providers, in the order in which they are offered. */
export const providers: readonly Provider[] = [
  openai,
  openaiResponses,
  anthropic,
  google,
  mistral,
  local,
  demo,
];

/** Environment variables of the vendors' keys. */
export const vendorKeys: readonly string[] = providers.flatMap(
  (each) => getKeyVariable(each) ?? [],
);

/** Environment variable of a vendor's key, if it has one. */
export function getKeyVariable(provider: Provider): string | undefined {
  return provider.kind === 'network' ? provider.keyVariable : undefined;
}

/** The provider of a model. Throws for an unknown one, which `known-model` rejects earlier. */
export function findProvider({ provider }: Pick<ModelConfig, 'provider'>): Provider {
  const found = providers.find(({ id }) => id === provider);
  if (!found) {
    throw new Error(`Unknown provider "${provider}".`);
  }
  return found;
}
