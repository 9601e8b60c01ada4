import type { ModelConfig } from '@knowhow/shared/config/models';
import type {
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { isThinkingEnabled } from '../is-thinking-enabled.ts';
import type { ModelImage, ModelMessage, ModelRequest } from '../model.ts';
import { toolInputObject } from '../tool-input.ts';
import { flaggedText, type ToolResult } from '../tool-results.ts';
import { vendorItems } from '../vendor-state.ts';

/**
 * The request body of OpenAI's responses API. Nothing is stored there; reasoning is passed back and forth encrypted.
 */
export function openAiResponsesBody(
  request: ModelRequest,
  config: ModelConfig,
): ResponseCreateParamsStreaming {
  const thinking = isThinkingEnabled(config);
  return {
    model: config.modelId,
    instructions: request.system || undefined,
    input: request.messages.flatMap(inputItems),
    tools:
      request.tools.length > 0
        ? request.tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            parameters: { ...parameters },
            strict: false,
          }))
        : undefined,
    // Reasoning models only accept the default temperature.
    temperature: thinking ? undefined : request.temperature,
    reasoning: thinking ? { effort: config.thinking?.effort, summary: 'auto' } : undefined,
    include: thinking ? ['reasoning.encrypted_content'] : undefined,
    max_output_tokens: request.maxOutputTokens,
    text: request.answerSchema && {
      format: {
        type: 'json_schema',
        name: request.answerSchema.name,
        schema: { ...request.answerSchema.schema },
        strict: true,
      },
    },
    store: false,
    stream: true,
  };
}

function inputItems(message: ModelMessage): ResponseInputItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(message) }];
    case 'assistant':
      return vendorItems<ResponseInputItem>(message, 'openai-responses') ?? answerItems(message);
    case 'tool':
      return [
        { type: 'function_call_output', call_id: message.callId, output: toolOutput(message) },
      ];
  }
}

function userContent({ content, images = [] }: Extract<ModelMessage, { role: 'user' }>) {
  return images.length === 0
    ? content
    : [
        // `auto` lets the model choose the resolution.
        ...images.map((image) => ({ ...toImagePart(image), detail: 'auto' as const })),
        { type: 'input_text' as const, text: content },
      ];
}

function toImagePart({ mediaType, data }: ModelImage) {
  return { type: 'input_image' as const, image_url: `data:${mediaType};base64,${data}` };
}

function answerItems(message: Extract<ModelMessage, { role: 'assistant' }>): ResponseInputItem[] {
  return [
    ...(message.content ? [{ role: 'assistant' as const, content: message.content }] : []),
    ...message.toolCalls.map(({ id, name, input }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(toolInputObject(input)),
    })),
  ];
}

function toolOutput(message: ToolResult): ResponseInputItem.FunctionCallOutput['output'] {
  const text = flaggedText(message);
  if (!message.images?.length) {
    return text;
  }
  return [{ type: 'input_text', text }, ...message.images.map(toImagePart)];
}
