import type {
  Base64ImageSource,
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelConfig } from '@knowhow/shared/config/models';
import { isThinkingEnabled } from '../is-thinking-enabled.ts';
import type { ModelImage, ModelMessage, ModelRequest } from '../model.ts';
import { toolInputObject } from '../tool-input.ts';
import { type ToolResult, toolResultsFrom } from '../tool-results.ts';
import { vendorItems } from '../vendor-state.ts';

/** Anthropic requires a limit in each request; every offered Claude model supports this one. */
const defaultMaxTokens = 16_384;

const cacheControl = { type: 'ephemeral' } as const;

/**
 * The request body of Anthropic's messages API. `temperature` is omitted because current models reject it. Two cache
 * breakpoints are set: after the tools and system prompt, and after the conversation.
 */
export function anthropicBody(
  request: ModelRequest,
  config: ModelConfig,
): MessageCreateParamsStreaming {
  const budget = config.thinking?.budget ?? 0;
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  return {
    model: config.modelId,
    // The thinking budget counts towards the limit, so some tokens are reserved for the answer.
    max_tokens: budget > 0 ? Math.max(maxTokens, budget + 1024) : maxTokens,
    system: request.system
      ? [{ type: 'text', text: request.system, cache_control: cacheControl }]
      : undefined,
    messages: addCacheBreakpoint(request.messages.flatMap(toTurns)),
    ...toolFields(request),
    ...withFormat(thinkingFields(config), request),
    stream: true,
  };
}

/**
 * The tools. A request with tool calls must define them even if none is offered now; they are then listed by name and
 * disabled.
 */
function toolFields({
  tools,
  messages,
}: ModelRequest): Pick<MessageCreateParamsStreaming, 'tools' | 'tool_choice'> {
  if (tools.length > 0) {
    return {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { ...parameters },
      })),
    };
  }
  const called = new Set(
    messages.flatMap((each) =>
      each.role === 'assistant' ? each.toolCalls.map(({ name }) => name) : [],
    ),
  );
  return called.size === 0
    ? {}
    : {
        tools: [...called].map((name) => ({ name, input_schema: { type: 'object' } })),
        tool_choice: { type: 'none' },
      };
}

/** Older models need a thinking budget; newer ones use adaptive thinking with an effort. */
function thinkingFields(
  config: ModelConfig,
): Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'> {
  const { enabled, budget, effort } = config.thinking ?? {};
  if (!isThinkingEnabled(config)) {
    return enabled === false ? { thinking: { type: 'disabled' } } : {};
  }
  if (budget !== undefined && budget > 0) {
    return { thinking: { type: 'enabled', budget_tokens: Math.max(budget, 1024) } };
  }
  return {
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: effort ? { effort: effort === 'minimal' ? 'low' : effort } : undefined,
  };
}

function withFormat(settings: ReturnType<typeof thinkingFields>, { answerSchema }: ModelRequest) {
  return answerSchema
    ? {
        ...settings,
        output_config: {
          ...settings.output_config,
          format: { type: 'json_schema' as const, schema: { ...answerSchema.schema } },
        },
      }
    : settings;
}

interface Turn {
  role: 'user' | 'assistant';
  content: ContentBlockParam[];
}

function toTurns(message: ModelMessage, index: number, messages: ModelMessage[]): Turn[] {
  switch (message.role) {
    case 'user':
      return [
        {
          role: 'user',
          content: [...imageBlocks(message), { type: 'text', text: message.content }],
        },
      ];
    case 'assistant':
      return [{ role: 'assistant', content: answerBlocks(message) }];
    case 'tool': {
      const results = toolResultsFrom(messages, index).map(toolResult);
      return results.length > 0 ? [{ role: 'user', content: results }] : [];
    }
  }
}

function answerBlocks(message: Extract<ModelMessage, { role: 'assistant' }>): ContentBlockParam[] {
  return (
    vendorItems<ContentBlockParam>(message, 'anthropic') ?? [
      ...(message.content.trim() ? [{ type: 'text' as const, text: message.content }] : []),
      ...message.toolCalls.map(({ id, name, input }) => ({
        type: 'tool_use' as const,
        id: anthropicCallId(id),
        name,
        input: toolInputObject(input),
      })),
    ]
  );
}

function imageBlocks({ images = [] }: { images?: ModelImage[] }): ImageBlockParam[] {
  return images.flatMap(({ mediaType, data }) =>
    isSupportedImage(mediaType)
      ? { type: 'image' as const, source: { type: 'base64' as const, media_type: mediaType, data } }
      : [],
  );
}

function toolResult(message: ToolResult): ToolResultBlockParam {
  const images = imageBlocks(message);
  return {
    type: 'tool_result',
    tool_use_id: anthropicCallId(message.callId),
    content:
      images.length > 0 ? [{ type: 'text', text: message.content }, ...images] : message.content,
    is_error: message.isError || undefined,
  };
}

/** Sets a cache breakpoint at the end of the conversation, which is user text or a tool result. */
function addCacheBreakpoint(all: Turn[]): Turn[] {
  const block = all.at(-1)?.content.at(-1);
  if (block?.type === 'text' || block?.type === 'tool_result') {
    block.cache_control = cacheControl;
  }
  return all;
}

function isSupportedImage(mediaType: string): mediaType is Base64ImageSource['media_type'] {
  return /^image\/(jpeg|png|gif|webp)$/.test(mediaType);
}

/** IDs from other models may contain characters that Anthropic rejects. */
function anthropicCallId(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
