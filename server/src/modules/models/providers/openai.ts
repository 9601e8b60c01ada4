import type { ModelConfig } from '@knowhow/shared/config/models';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import { localizeAll } from '../../../platform/lib/locales.ts';
import { addressRule } from '../address-rule.ts';
import { askOpenAiChat } from '../ask-openai-chat.ts';
import type { ModelRequest } from '../model.ts';
import { openAiChatBody } from '../openai-chat-body.ts';
import { bearer, type NetworkProvider } from '../provider.ts';

/** OpenAI's chat completions, and every compatible server. */
export const openai: NetworkProvider = {
  kind: 'network',
  id: 'openai',
  label: localizeAll(({ providers }) => providers.openai),
  keyVariable: 'OPENAI_API_KEY',
  keyHeader: bearer,
  address: addressRule({ base: 'https://api.openai.com/v1', path: 'chat/completions' }),
  ask: (config, fetch) => askOpenAiChat(openAiBody, config, fetch),
};

/** Newer OpenAI models only know `max_completion_tokens`; most other servers only `max_tokens`. */
export function openAiBody(
  request: ModelRequest,
  config: ModelConfig,
): ChatCompletionCreateParamsStreaming {
  const { max_tokens: max_completion_tokens, ...body } = openAiChatBody(request, config);
  const isOpenAi = !config.url || /\bopenai\.(azure\.)?com$/.test(new URL(config.url).hostname);
  return isOpenAi
    ? { ...body, max_completion_tokens }
    : { ...body, max_tokens: max_completion_tokens };
}
