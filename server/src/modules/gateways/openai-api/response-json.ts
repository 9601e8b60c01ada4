import type { ActiveNames, CompletionEvent } from './begin-completion.ts';
import type { CompletionHeader } from './completion-json.ts';
import { createToolCalls } from './completion-json.ts';

type End = Extract<CompletionEvent, { type: 'end' }>;

/** An event of the OpenAI Responses API. */
export type ResponseEvent = { type: string; [field: string]: unknown };

/** A complete response or, without `done`, one in progress. */
export function createResponse(
  { id, created, model }: CompletionHeader,
  active: ActiveNames,
  done?: { text: string; end: End },
) {
  const isTruncated = done?.end.reason === 'length';
  return {
    id,
    object: 'response' as const,
    created_at: created,
    model,
    status: done ? (isTruncated ? 'incomplete' : 'completed') : 'in_progress',
    error: null,
    incomplete_details: isTruncated ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    metadata: {},
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    store: false,
    temperature: null,
    top_p: null,
    output: done ? toOutput(id, done.text, done.end, active.skills) : [],
    usage: done ? toUsage(done.end) : null,
    knowhow: active,
  };
}

function toOutput(id: string, text: string, end: End, skills: readonly string[]) {
  const calls = callItems(id, end, skills);
  return [...(text === '' && calls.length > 0 ? [] : [messageItem(id, text)]), ...calls];
}

function messageItem(id: string, text?: string) {
  const content = text === undefined ? [] : [textPart(text)];
  const status = text === undefined ? 'in_progress' : 'completed';
  return { id: `msg_${id}`, type: 'message', role: 'assistant', status, content };
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function callItems(id: string, { calls }: End, skills: readonly string[]) {
  return createToolCalls(calls, skills).map(({ id: call_id, function: called }, index) => ({
    id: `fc_${index}_${id}`,
    type: 'function_call',
    status: 'completed',
    call_id,
    ...called,
  }));
}

/** The events of an answer, in order. The text is a single item, however many chunks it has. */
export function createResponseEvents(heading: CompletionHeader, active: () => ActiveNames) {
  const { id } = heading;
  const position = { item_id: `msg_${id}`, output_index: 0, content_index: 0 };
  let text: string | undefined;
  const openText = (): ResponseEvent[] => {
    text = '';
    return [
      { type: 'response.output_item.added', output_index: 0, item: messageItem(id) },
      { type: 'response.content_part.added', ...position, part: textPart('') },
    ];
  };
  const closeText = (whole: string): ResponseEvent[] => [
    { type: 'response.output_text.done', ...position, text: whole, logprobs: [] },
    { type: 'response.content_part.done', ...position, part: textPart(whole) },
    { type: 'response.output_item.done', output_index: 0, item: messageItem(id, whole) },
  ];
  return {
    begin: (): ResponseEvent[] =>
      ['response.created', 'response.in_progress'].map((type) => ({
        type,
        response: createResponse(heading, active()),
      })),
    add: (delta: string): ResponseEvent[] => {
      const opened = text === undefined ? openText() : [];
      text += delta;
      return [...opened, { type: 'response.output_text.delta', ...position, delta, logprobs: [] }];
    },
    end: (end: End): ResponseEvent[] => {
      const opened = text === undefined && end.calls.length === 0 ? openText() : [];
      const closed = text === undefined ? [] : closeText(text);
      const first = text === undefined ? 0 : 1;
      const response = createResponse(heading, active(), { text: text ?? '', end });
      return [
        ...opened,
        ...closed,
        ...callItems(id, end, active().skills).flatMap((item, index) =>
          callEvents(item, first + index),
        ),
        { type: `response.${response.status}`, response },
      ];
    },
  };
}

function callEvents(
  item: ReturnType<typeof callItems>[number],
  output_index: number,
): ResponseEvent[] {
  const position = { item_id: item.id, output_index };
  const { arguments: written, name } = item;
  const added = { ...item, status: 'in_progress', arguments: '' };
  return [
    { type: 'response.output_item.added', output_index, item: added },
    { type: 'response.function_call_arguments.delta', ...position, delta: written },
    { type: 'response.function_call_arguments.done', ...position, name, arguments: written },
    { type: 'response.output_item.done', output_index, item },
  ];
}

function toUsage({ usage: { inputTokens, outputTokens } }: End) {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
