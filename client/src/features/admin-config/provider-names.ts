import type { ModelProvider } from '@knowhow/shared/models';

/** What each provider is called. */
export const providerNames = {
  openai: 'adminConfig.providers.openai',
  'openai-responses': 'adminConfig.providers.openaiResponses',
  anthropic: 'adminConfig.providers.anthropic',
  google: 'adminConfig.providers.google',
  mistral: 'adminConfig.providers.mistral',
  local: 'adminConfig.providers.local',
  demo: 'adminConfig.providers.demo',
} as const satisfies Record<ModelProvider, string>;
