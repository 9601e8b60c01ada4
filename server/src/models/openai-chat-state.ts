import { isRecord } from '@knowhow/shared/is-record';
import type { ThinkChunk$Outbound } from '@mistralai/mistralai/models/components';
import type { ModelEvent, ModelMessage } from './model.ts';
import { boundedFields, type VendorFields } from './vendor-fields.ts';
import { vendorItems, vendorState } from './vendor-state.ts';

/** All the thinking of an answer, and the form in which its server wants it back. */
export interface Thought {
  text: string;
  form?: ThoughtField | 'mistral';
  signature?: string | null;
}

/** The names that servers have for the thinking of a message. */
export const thoughtFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'thinking',
] as const;
type ThoughtField = (typeof thoughtFields)[number];

/** Data that a server of chat completions gets back with a message, as it had sent it. */
interface ChatState {
  /** The thinking of the message under the server's name for it, and fields that we do not know. */
  message: VendorFields;
  /** Unknown fields of each call, in the order of the calls. */
  calls: VendorFields[];
  /** The thinking as Mistral takes it back. */
  thinking: ThinkChunk$Outbound | undefined;
}

interface Collected {
  thought: Thought;
  fields: VendorFields;
  calls: VendorFields[];
}

/** The event that keeps a state, if there is something to keep. An answer without calls keeps no thinking. */
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

/** The state of a message; empty where there is none. */
export function chatStateOf(message: ModelMessage): ChatState {
  const [fields, calls, thinking] = vendorItems<unknown>(message, 'openai-chat') ?? [];
  return {
    message: isRecord(fields) ? fields : {},
    calls: Array.isArray(calls) ? calls.map((each) => (isRecord(each) ? each : {})) : [],
    thinking: isRecord(thinking) ? (thinking as unknown as ThinkChunk$Outbound) : undefined,
  };
}
