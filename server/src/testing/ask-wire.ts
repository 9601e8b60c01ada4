import { type ModelConfig, modelConfigSchema } from '@knowhow/shared/config/models';
import type {
  AskModel,
  ModelEvent,
  ModelRequest,
  ModelToolCall,
  ModelUsage,
} from '../modules/models/model.ts';
import { openModel } from '../modules/models/open-model.ts';
import { anthropicWire } from './anthropic-wire.ts';
import { googleWire } from './google-wire.ts';
import { mistralWire } from './mistral-wire.ts';
import { openAiChatWire } from './openai-chat-wire.ts';
import { openAiResponsesWire } from './openai-responses-wire.ts';
import type { VendorWire } from './vendor-wire.ts';

export const wires: VendorWire[] = [
  openAiChatWire,
  mistralWire,
  openAiResponsesWire,
  anthropicWire,
  googleWire,
];

/** A configured model of a vendor, pointing at a scripted server. */
export function createModelConfig(
  { provider, modelId }: VendorWire,
  url: string,
  fields: Partial<ModelConfig> = {},
): ModelConfig {
  const written = { id: 'tested-1', modelId, name: 'Tested', provider, url, ...fields };
  return modelConfigSchema.parse(written);
}

/** Opens such a model with an API key. */
export function openWireModel(
  wire: VendorWire,
  url: string,
  fields?: Partial<ModelConfig>,
): AskModel {
  const times = { silenceMs: 10_000, backOffMs: [1, 1] };
  return openModel(createModelConfig(wire, url, fields), 'secret-key', times);
}

export const greeting: ModelRequest = {
  system: 'Be kind.',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
};

export const neverAborted: AbortSignal = new AbortController().signal;

/** The collected events of an answer. */
export interface Gathered {
  text: string;
  thinking: string;
  calls: ModelToolCall[];
  state: unknown;
  usage: ModelUsage | undefined;
  /** Event types in order, without consecutive duplicates. */
  order: string[];
  stop: string | undefined;
  /** The error thrown by the stream. */
  error: unknown;
}

export async function gather(events: AsyncIterable<ModelEvent>): Promise<Gathered> {
  const gathered: Gathered = {
    text: '',
    thinking: '',
    calls: [],
    state: undefined,
    usage: undefined,
    order: [],
    stop: undefined,
    error: undefined,
  };
  try {
    for await (const event of events) {
      if (gathered.order.at(-1) !== event.type) {
        gathered.order.push(event.type);
      }
      take(event, gathered);
    }
  } catch (error) {
    gathered.error = error;
  }
  return gathered;
}

function take(event: ModelEvent, gathered: Gathered): void {
  switch (event.type) {
    case 'text':
    case 'thinking':
      gathered[event.type] += event.text;
      break;
    case 'tool-call':
      gathered.calls.push(event.call);
      break;
    case 'vendor-state':
      gathered.state = event.state;
      break;
    case 'usage': {
      const { type: _, ...usage } = event;
      gathered.usage = usage;
      break;
    }
    case 'stop':
      gathered.stop = event.reason;
  }
}
