import type {
  Content,
  GenerateContentParameters,
  Part,
  ThinkingConfig,
  ThinkingLevel,
} from '@google/genai';
import type { ModelConfig } from '@knowhow/shared/config/models';
import { isThinkingEnabled } from '../is-thinking-enabled.ts';
import type { ModelImage, ModelMessage, ModelRequest } from '../model.ts';
import { toolInputObject } from '../tool-input.ts';
import { type ToolResult, toolResultsFrom } from '../tool-results.ts';
import { vendorItems } from '../vendor-state.ts';

/** The request for Google's `streamGenerateContent`, in its client's format. */
export function googleBody(request: ModelRequest, config: ModelConfig): GenerateContentParameters {
  const { system, tools, temperature, maxOutputTokens } = request;
  return {
    model: config.modelId,
    contents: request.messages.flatMap(toContents),
    config: {
      systemInstruction: system || undefined,
      tools:
        tools.length > 0
          ? [
              {
                functionDeclarations: tools.map(({ name, description, parameters }) => ({
                  name,
                  description,
                  parametersJsonSchema: parameters,
                })),
              },
            ]
          : undefined,
      temperature,
      maxOutputTokens,
      responseMimeType: request.answerSchema && 'application/json',
      responseJsonSchema: request.answerSchema?.schema,
      thinkingConfig: thinkingConfig(config),
      // Otherwise the client would call tools and send requests on its own.
      automaticFunctionCalling: { disable: true },
      automaticContinuation: false,
    },
  };
}

function thinkingConfig(config: ModelConfig): ThinkingConfig | undefined {
  const { enabled, budget, effort } = config.thinking ?? {};
  if (!isThinkingEnabled(config)) {
    return enabled === false ? { thinkingBudget: 0 } : undefined;
  }
  return {
    includeThoughts: true,
    thinkingBudget: budget,
    // Google rejects a budget together with a level. The cast is needed because its enum only exists in the client.
    thinkingLevel:
      effort && budget === undefined ? (effort.toUpperCase() as ThinkingLevel) : undefined,
  };
}

function toContents(message: ModelMessage, index: number, messages: ModelMessage[]): Content[] {
  switch (message.role) {
    case 'user':
      return [
        {
          role: 'user',
          parts: [...(message.images ?? []).map(toImagePart), { text: message.content }],
        },
      ];
    case 'assistant':
      return [{ role: 'model', parts: answerParts(message) }];
    case 'tool':
      return resultContents(toolResultsFrom(messages, index), messages);
  }
}

function toImagePart({ mediaType, data }: ModelImage): Part {
  return { inlineData: { mimeType: mediaType, data } };
}

/** IDs of calls that Google assigned. */
function googleCallIds(messages: ModelMessage[]): ReadonlySet<string | undefined> {
  const parts = messages.flatMap((message) => vendorItems<Part>(message, 'google') ?? []);
  return new Set(parts.map(({ functionCall }) => functionCall?.id));
}

function answerParts(message: Extract<ModelMessage, { role: 'assistant' }>): Part[] {
  return (
    vendorItems<Part>(message, 'google') ?? [
      ...(message.content ? [{ text: message.content }] : []),
      ...message.toolCalls.map(({ name, input }) => ({
        functionCall: { name, args: toolInputObject(input) },
      })),
    ]
  );
}

/** Results of parallel calls share one content; their images follow in another. */
function resultContents(results: ToolResult[], messages: ModelMessage[]): Content[] {
  if (results.length === 0) {
    return [];
  }
  const known = googleCallIds(messages);
  const pictures = results.flatMap(({ images }) => images ?? []);
  const responses = results.map(({ callId, name, content, isError }) => ({
    functionResponse: {
      // Google does not know IDs that we generated.
      id: known.has(callId) ? callId : undefined,
      name,
      response: isError ? { error: content } : { output: content },
    },
  }));
  return [
    { role: 'user', parts: responses },
    ...(pictures.length > 0
      ? [
          {
            role: 'user',
            parts: pictures.map(toImagePart),
          },
        ]
      : []),
  ];
}
