import { isRecord } from '@knowhow/shared/is-record';
import type { ThinkChunk$Outbound } from '@mistralai/mistralai/models/components';
import type { ModelEvent, ModelMessage } from './model.ts';
import { boundedFields, type VendorFields } from './vendor-fields.ts';
import { vendorItems, vendorState } from './vendor-state.ts';

/** The thinking of an answer, and the form in which its server wants it back. */
export interface Thought {
  text: string;
  form?: ThoughtField | 'mistral';
  signature?: string | null;
}

/** Field names that servers use for the thinking of a message. */
export const thoughtFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
] as const;
type ThoughtField = (typeof thoughtFields)[number];

/** Data that a chat completions server gets back with a message, unchanged. */
interface ChatState {
  /** The thinking in the server's own field, and unknown fields. */
  message: VendorFields;
  /** Unknown fields of each call, in order. */
  calls: VendorFields[];
  /** The thinking in Mistral's format. */
  thinking: ThinkChunk$Outbound | undefined;
}

interface Collected {
  thought: Thought;
  fields: VendorFields;
  calls: VendorFields[];
}

/** Yields an event with the state to keep, if there is any. Thinking is only kept for answers with calls. */
export function* chatState({ thought, fields, calls }: Collected): Generator<ModelEvent> {
  const { text, form, signature } = thought;
  const isThought = calls.length > 0 && form !== undefined;
  const message = {
    ...boundedFields(fields),
    ...(isThought && form !== 'mistral' ? { [form]: text } : {}),
  };
  const bounded = calls.map(boundedFields);
  const thinking =
    isThought && form === 'mistral'
      ? [{ type: 'thinking', thinking: [{ type: 'text', text }], signature, closed: true }]
      : [];
  if ([message, ...bounded, ...thinking].some((each) => Object.keys(each).length > 0)) {
    yield vendorState('openai-chat', [message, bounded, ...thinking]);
  }
}

/** The state of a message; empty if there is none. */
export function getChatState(message: ModelMessage): ChatState {
  const [fields, calls, thinking] = vendorItems<unknown>(message, 'openai-chat') ?? [];
  return {
    message: isRecord(fields) ? fields : {},
    calls: Array.isArray(calls) ? calls.map((each) => (isRecord(each) ? each : {})) : [],
    thinking: isRecord(thinking) ? (thinking as unknown as ThinkChunk$Outbound) : undefined,
  };
}
