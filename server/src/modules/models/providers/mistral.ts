import type { ModelConfig } from '@knowhow/shared/config/models';
import type {
  AssistantMessage$Outbound,
  ChatCompletionStreamRequest$Outbound,
  ChatCompletionStreamRequestMessage$Outbound,
  ContentChunk$Outbound,
} from '@mistralai/mistralai/models/components';
import { sha256 } from '../../../platform/lib/sha256.ts';
import { addressRule } from '../address-rule.ts';
import { askOpenAiChat } from '../ask-openai-chat.ts';
import { isThinkingEnabled } from '../is-thinking-enabled.ts';
import type { ModelImage, ModelMessage, ModelRequest } from '../model.ts';
import { getChatState } from '../openai-chat-state.ts';
import { bearer, type NetworkProvider } from '../provider.ts';
import { toolInputObject } from '../tool-input.ts';
import { flaggedText, type ToolResult } from '../tool-results.ts';

/** Mistral. */
export const mistral: NetworkProvider = {
  kind: 'network',
  id: 'mistral',
  label: 'Mistral',
  keyVariable: 'MISTRAL_API_KEY',
  keyHeader: bearer,
  address: addressRule({ base: 'https://api.mistral.ai/v1', path: 'chat/completions' }),
  ask: (config, fetch) => askOpenAiChat(mistralBody, config, fetch),
};

/** The request body of Mistral's chat completions: OpenAI's without the fields that Mistral rejects. */
function mistralBody(
  request: ModelRequest,
  config: ModelConfig,
): ChatCompletionStreamRequest$Outbound {
  return {
    model: config.modelId,
    messages: [
      ...(request.system ? [{ role: 'system' as const, content: request.system }] : []),
      ...request.messages.map(mistralMessage),
    ],
    tools:
      request.tools.length > 0
        ? request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          }))
        : undefined,
    temperature: request.temperature,
    reasoning_effort: isThinkingEnabled(config) ? config.thinking?.effort : undefined,
    max_tokens: request.maxOutputTokens,
    response_format: request.answerSchema && {
      type: 'json_schema',
      json_schema: { ...request.answerSchema, strict: true },
    },
    stream: true,
  };
}

function mistralMessage(message: ModelMessage): ChatCompletionStreamRequestMessage$Outbound {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: withPictures(message.content, message) };
    case 'assistant':
      return assistantMessage(message);
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: mistralCallId(message.callId),
        name: message.name,
        content: toolContent(message),
      };
  }
}

function assistantMessage(
  message: Extract<ModelMessage, { role: 'assistant' }>,
): AssistantMessage$Outbound {
  const { message: fields, calls, thinking } = getChatState(message);
  return {
    ...fields,
    role: 'assistant',
    content: thinking
      ? [thinking, ...(message.content ? [{ type: 'text' as const, text: message.content }] : [])]
      : message.content,
    tool_calls:
      message.toolCalls.length > 0
        ? message.toolCalls.map(({ id, name, input }, index) => ({
            ...calls[index],
            id: mistralCallId(id),
            type: 'function',
            function: { name, arguments: JSON.stringify(toolInputObject(input)) },
            index,
          }))
        : undefined,
    prefix: false,
  };
}

function toolContent(message: ToolResult): string | ContentChunk$Outbound[] {
  return withPictures(flaggedText(message), message);
}

function withPictures(
  text: string,
  { images = [] }: { images?: ModelImage[] },
): string | ContentChunk$Outbound[] {
  if (images.length === 0) {
    return text;
  }
  return [
    { type: 'text', text },
    ...images.map(({ mediaType, data }) => ({
      type: 'image_url' as const,
      image_url: `data:${mediaType};base64,${data}`,
    })),
  ];
}

/** Mistral only accepts IDs of nine letters and digits, so other models' IDs are hashed. */
function mistralCallId(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : sha256(id).slice(0, 9);
}
