import type {
  Content,
  GenerateContentParameters,
  Part,
  ThinkingConfig,
  ThinkingLevel,
} from '@google/genai';
import type { ModelConfig } from '@knowhow/shared/config/models';
import type { ModelImage, ModelMessage, ModelRequest } from '../model.ts';
import { thinks } from '../thinks.ts';
import { toolInputObject } from '../tool-input.ts';
import { type ToolResult, toolResultsFrom } from '../tool-results.ts';
import { vendorItems } from '../vendor-state.ts';

/** The request of Google's `streamGenerateContent`, as its client takes it. */
export function googleBody(request: ModelRequest, config: ModelConfig): GenerateContentParameters {
  const { system, tools, temperature, maxOutputTokens } = request;
  return {
    model: config.modelId,
    contents: request.messages.flatMap(contentsOf),
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
      // The client would call tools and send requests of its own accord.
      automaticFunctionCalling: { disable: true },
      automaticContinuation: false,
    },
  };
}

function thinkingConfig(config: ModelConfig): ThinkingConfig | undefined {
  const { enabled, budget, effort } = config.thinking ?? {};
  if (!thinks(config)) {
    return enabled === false ? { thinkingBudget: 0 } : undefined;
  }
  return {
    includeThoughts: true,
    thinkingBudget: budget,
    // A budget and a level at once are refused. The cast: its enum exists in the client only.
    thinkingLevel:
      effort && budget === undefined ? (effort.toUpperCase() as ThinkingLevel) : undefined,
  };
}

function contentsOf(message: ModelMessage, index: number, messages: ModelMessage[]): Content[] {
  switch (message.role) {
    case 'user':
      return [
        {
          role: 'user',
          parts: [...(message.images ?? []).map(pictureOf), { text: message.content }],
        },
      ];
    case 'assistant':
      return [{ role: 'model', parts: answerParts(message) }];
    case 'tool':
      return resultContents(toolResultsFrom(messages, index), messages);
  }
}

function pictureOf({ mediaType, data }: ModelImage): Part {
  return { inlineData: { mimeType: mediaType, data } };
}

/** The ids of calls that Google had given itself. */
function googlesIds(messages: ModelMessage[]): ReadonlySet<string | undefined> {
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

/** Results of parallel calls share one content; their pictures follow in another. */
function resultContents(results: ToolResult[], messages: ModelMessage[]): Content[] {
  if (results.length === 0) {
    return [];
  }
  const known = googlesIds(messages);
  const pictures = results.flatMap(({ images }) => images ?? []);
  const responses = results.map(({ callId, name, content, isError }) => ({
    functionResponse: {
      // An id that we had made up is not known there.
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
            parts: pictures.map(pictureOf),
          },
        ]
      : []),
  ];
}
