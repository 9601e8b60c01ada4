import { type OpenAiCompletion, openaiApi } from '@knowhow/shared/chat/openai';
import type { ResponseItem, ResponseRequest } from '@knowhow/shared/chat/openai-responses';
import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf, Problem, problem } from '@knowhow/shared/problem';

/**
 * Converts a Responses API request to a chat completion request. Throws `invalid-request` like the latter,
 * with the field names of the Responses API.
 */
export function readResponseRequest(body: ResponseRequest): OpenAiCompletion {
  const { model, input, instructions, tools, tool_choice: choice, text, metadata } = body;
  const items: ResponseItem[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const system = instructions ? [{ role: 'system', content: instructions }] : [];
  const { data, error } = parseWith(openaiApi.complete.body, {
    model,
    messages: [...system, ...toMessages(items)],
    tools: tools?.map(toNestedFunction),
    tool_choice: typeof choice === 'object' && choice ? toNestedFunction(choice) : choice,
    response_format: text?.format && toResponseFormat(text.format),
    temperature: body.temperature,
    max_completion_tokens: body.max_output_tokens,
    metadata,
  });
  return (
    data ?? rethrowWithResponseFields(problem('invalid-request', '', { issues: issuesOf(error) }))
  );
}

/** Rethrows an error, with field names of the Responses API. */
export function rethrowWithResponseFields(error: unknown): never {
  if (error instanceof Problem && error.code === 'invalid-request' && error.issues) {
    const issues = error.issues.map((issue) => ({ ...issue, path: toResponseField(issue.path) }));
    const [{ path, message } = { path: '', message: '' }] = issues;
    throw problem('invalid-request', `${path}: ${message}`, { issues });
  }
  throw error;
}

/** The name of the field. The message index is dropped, since there may be more input items. */
function toResponseField(path: string): string {
  const [part = ''] = path.split('.');
  return responseFields.get(part) ?? path;
}

const responseFields: ReadonlyMap<string, string> = new Map([
  ['messages', 'input'],
  ['response_format', 'text.format'],
  ['max_completion_tokens', 'max_output_tokens'],
]);

/** Chat completions nest under `function` what the Responses API has at the top level. */
function toNestedFunction({ type, ...rest }: { type: string }): { type: string; function: object } {
  return { type, function: rest };
}

function toResponseFormat({ type, ...json_schema }: { type: string }): object {
  return type === 'json_schema' ? { type, json_schema } : { type };
}

interface AssistantCalls {
  role: 'assistant';
  content: string | null;
  tool_calls: object[];
}

function toMessages(items: readonly ResponseItem[]): object[] {
  const messages: object[] = [];
  let pendingCalls: AssistantCalls | undefined;
  for (const item of items) {
    switch (item.type) {
      case 'reasoning':
        continue;
      case 'function_call': {
        if (!pendingCalls) {
          pendingCalls = { role: 'assistant', content: null, tool_calls: [] };
          messages.push(pendingCalls);
        }
        const { call_id: id, name, arguments: written } = item;
        pendingCalls.tool_calls.push({
          id,
          type: 'function',
          function: { name, arguments: written },
        });
        continue;
      }
      case 'function_call_output':
        messages.push({
          role: 'tool',
          tool_call_id: item.call_id,
          content: textParts(item.output),
        });
        break;
      default:
        messages.push({ role: item.role, content: textParts(item.content) });
    }
    pendingCalls = undefined;
  }
  return messages;
}

const textTypes: ReadonlySet<string> = new Set(['input_text', 'output_text']);

/** Leaves other parts unchanged; they are rejected as in chat completions. */
function textParts(content: string | readonly { type: string }[]): unknown {
  return typeof content === 'string'
    ? content
    : content.map((part) => (textTypes.has(part.type) ? { ...part, type: 'text' } : part));
}
