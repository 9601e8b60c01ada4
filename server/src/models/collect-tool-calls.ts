import { randomBytes } from 'node:crypto';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { ModelToolCall } from './model.ts';
import { parseToolInput } from './tool-input.ts';

type CallDelta = ChatCompletionChunk.Choice.Delta.ToolCall;

interface OpenCall {
  id: string;
  name: string;
  text: string;
}

export interface ToolCallCollector {
  add(delta: CallDelta): void;
  /** The calls as far as they have come. */
  calls(): ModelToolCall[];
}

/**
 * Joins the pieces of the calls in a stream of chat completions. Some servers leave out the index or
 * the id, and some give every call the same index: a new id always opens a new call.
 */
export function collectToolCalls(): ToolCallCollector {
  const open: OpenCall[] = [];
  const lastOf = new Map<number | undefined, OpenCall>();
  return {
    add({ index, id, function: called }) {
      let call = lastOf.get(index);
      if (!call || (id && call.id && id !== call.id)) {
        call = { id: '', name: '', text: '' };
        open.push(call);
        lastOf.set(index, call);
      }
      call.id ||= id ?? '';
      call.name ||= called?.name ?? '';
      call.text += textOf(called?.arguments);
    },
    calls() {
      return open.map(({ id, name, text }) => ({
        id: id || newCallId(),
        name,
        input: parseToolInput(text),
      }));
    },
  };
}

/** An id for a call that came without one. */
export function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

/** Arguments are text by the protocol; Mistral's servers may send the object itself. */
function textOf(value: unknown): string {
  return typeof value === 'string' || value === undefined || value === null
    ? (value ?? '')
    : JSON.stringify(value);
}
