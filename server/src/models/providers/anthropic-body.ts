import type {
  Base64ImageSource,
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { ModelImage, ModelMessage, ModelRequest } from '../model.ts';
import { thinks } from '../thinks.ts';
import { toolInputObject } from '../tool-input.ts';
import { type ToolResult, toolResultsFrom } from '../tool-results.ts';
import { vendorItems } from '../vendor-state.ts';

/** Anthropic wants a limit with every request; every Claude that is offered can say this much. */
const defaultMaxTokens = 16_384;

const cached = { type: 'ephemeral' } as const;

/**
 * The request of Anthropic's messages. `temperature` is left out: current models refuse it. Two
 * marks let the prompt cache hold: after the system prompt (and the tools, which count as before
 * it) and after the conversation so far.
 */
export function anthropicBody(
  request: ModelRequest,
  config: ModelConfig,
): MessageCreateParamsStreaming {
  const budget = config.thinking?.budget ?? 0;
  const maxTokens = request.maxOutputTokens ?? defaultMaxTokens;
  return {
    model: config.modelId,
    // A budget for thinking must leave room for the answer.
    max_tokens: budget > 0 ? Math.max(maxTokens, budget + 1024) : maxTokens,
    system: request.system
      ? [{ type: 'text', text: request.system, cache_control: cached }]
      : undefined,
    messages: cacheLast(request.messages.flatMap(turnsOf)),
    ...toolsOf(request),
    ...withFormat(thinking(config), request),
    stream: true,
  };
}

/**
 * The tools. A request with calls of tools must define them, also when none is offered any more: they
 * are there by name, and may not be called.
 */
function toolsOf({
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

/** A budget asks older models to think; the newer ones are set to, and how hard. */
function thinking(
  config: ModelConfig,
): Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'> {
  const { enabled, budget, effort } = config.thinking ?? {};
  if (!thinks(config)) {
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

function withFormat(settings: ReturnType<typeof thinking>, { answerSchema }: ModelRequest) {
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

function turnsOf(message: ModelMessage, index: number, messages: ModelMessage[]): Turn[] {
  switch (message.role) {
    case 'user':
      return [
        {
          role: 'user',
          content: [...pictures(message), { type: 'text', text: message.content }],
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

function pictures({ images = [] }: { images?: ModelImage[] }): ImageBlockParam[] {
  return images.flatMap(({ mediaType, data }) =>
    isTakenImage(mediaType)
      ? { type: 'image' as const, source: { type: 'base64' as const, media_type: mediaType, data } }
      : [],
  );
}

function toolResult(message: ToolResult): ToolResultBlockParam {
  const images = pictures(message);
  return {
    type: 'tool_result',
    tool_use_id: anthropicCallId(message.callId),
    content:
      images.length > 0 ? [{ type: 'text', text: message.content }, ...images] : message.content,
    is_error: message.isError || undefined,
  };
}

/** Marks the end of the conversation, which is the user's text or a tool's result. */
function cacheLast(all: Turn[]): Turn[] {
  const block = all.at(-1)?.content.at(-1);
  if (block?.type === 'text' || block?.type === 'tool_result') {
    block.cache_control = cached;
  }
  return all;
}

function isTakenImage(mediaType: string): mediaType is Base64ImageSource['media_type'] {
  return /^image\/(jpeg|png|gif|webp)$/.test(mediaType);
}

/** Other models' ids may hold signs that Anthropic refuses. */
function anthropicCallId(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, '_');
}
