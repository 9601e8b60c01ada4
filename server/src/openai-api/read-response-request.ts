import { type OpenAiCompletion, openaiApi } from '@knowhow/shared/chat/openai';
import type { ResponseItem, ResponseRequest } from '@knowhow/shared/chat/openai-responses';
import { parseWith } from '@knowhow/shared/describe-issue';
import { issuesOf, Problem, problem } from '@knowhow/shared/problem';

/**
 * A request of OpenAI's responses, as one of chat completions. Throws `invalid-request`, as for one of
 * those, with the names that fields have here.
 */
export function readResponseRequest(body: ResponseRequest): OpenAiCompletion {
  const { model, input, instructions, tools, tool_choice: choice, text, metadata } = body;
  const items: ResponseItem[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const system = instructions ? [{ role: 'system', content: instructions }] : [];
  const { data, error } = parseWith(openaiApi.complete.body, {
    model,
    messages: [...system, ...messagesOf(items)],
    tools: tools?.map(named),
    tool_choice: typeof choice === 'object' && choice ? named(choice) : choice,
    response_format: text?.format && formatOf(text.format),
    temperature: body.temperature,
    max_completion_tokens: body.max_output_tokens,
    metadata,
  });
  return data ?? withInput(problem('invalid-request', '', { issues: issuesOf(error) }));
}

/** Throws an error again; one with a place in chat completions, with the place in responses. */
export function withInput(error: unknown): never {
  if (error instanceof Problem && error.code === 'invalid-request' && error.issues) {
    const issues = error.issues.map((issue) => ({ ...issue, path: placeOf(issue.path) }));
    const [{ path, message } = { path: '', message: '' }] = issues;
    throw problem('invalid-request', `${path}: ${message}`, { issues });
  }
  throw error;
}

/** The name of the field; which message it is says nothing, since there may be more items. */
function placeOf(path: string): string {
  const [part = ''] = path.split('.');
  return places.get(part) ?? path;
}

const places: ReadonlyMap<string, string> = new Map([
  ['messages', 'input'],
  ['response_format', 'text.format'],
  ['max_completion_tokens', 'max_output_tokens'],
]);

/** What stands in `function` in chat completions stands beside the type here. */
function named({ type, ...rest }: { type: string }): { type: string; function: object } {
  return { type, function: rest };
}

function formatOf({ type, ...json_schema }: { type: string }): object {
  return type === 'json_schema' ? { type, json_schema } : { type };
}

interface Asking {
  role: 'assistant';
  content: string | null;
  tool_calls: object[];
}

function messagesOf(items: readonly ResponseItem[]): object[] {
  const messages: object[] = [];
  let asking: Asking | undefined;
  for (const item of items) {
    switch (item.type) {
      case 'reasoning':
        continue;
      case 'function_call': {
        if (!asking) {
          asking = { role: 'assistant', content: null, tool_calls: [] };
          messages.push(asking);
        }
        const { call_id: id, name, arguments: written } = item;
        asking.tool_calls.push({ id, type: 'function', function: { name, arguments: written } });
        continue;
      }
      case 'function_call_output':
        messages.push({
          ...{ role: 'tool', tool_call_id: item.call_id, content: textParts(item.output) },
        });
        break;
      default:
        messages.push({ role: item.role, content: textParts(item.content) });
    }
    asking = undefined;
  }
  return messages;
}

const textTypes: ReadonlySet<string> = new Set(['input_text', 'output_text']);

/** Other parts stay as they are, and are refused as in chat completions. */
function textParts(content: string | readonly { type: string }[]): unknown {
  return typeof content === 'string'
    ? content
    : content.map((part) => (textTypes.has(part.type) ? { ...part, type: 'text' } : part));
}
