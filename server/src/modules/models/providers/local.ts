import { localizeAll } from '../../../platform/lib/locales.ts';
import { addressRule } from '../address-rule.ts';
import { askOpenAiChat } from '../ask-openai-chat.ts';
import { openAiChatBody } from '../openai-chat-body.ts';
import { bearer, type NetworkProvider } from '../provider.ts';

/** Ollama's default address. */
export const ollamaOrigin = 'http://127.0.0.1:11434';

/** A self-hosted, OpenAI-compatible model server such as Ollama or vLLM, which needs no key. */
export const local: NetworkProvider = {
  kind: 'network',
  id: 'local',
  label: localizeAll(({ providers }) => providers.local),
  keyHeader: bearer,
  address: addressRule({ base: `${ollamaOrigin}/v1`, path: 'chat/completions' }),
  ask: (config, fetch) => askOpenAiChat(openAiChatBody, config, fetch),
};
