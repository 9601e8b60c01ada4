import type { ModelEvent, ModelMessage } from './model.ts';

interface VendorState {
  vendor: string;
  items: unknown[];
  /** The `modelId` of the model that left it. */
  modelId?: string;
}

/** Characters as JSON. A larger state is not stored: no vendor needs so much back. */
const maxStateLength = 1024 * 1024;

/** The state that a vendor wants back, marked with its owner: another model may continue a conversation. */
export function vendorState(vendor: string, items: unknown[]): ModelEvent {
  return { type: 'vendor-state', state: { vendor, items } satisfies VendorState };
}

/** The items that this vendor left with an answer, or undefined. `Item` is what it had put there. */
export function vendorItems<Item>(message: ModelMessage, vendor: string): Item[] | undefined {
  const state = message.role === 'assistant' ? message.vendorState : undefined;
  return isVendorState(state) && state.vendor === vendor ? (state.items as Item[]) : undefined;
}

/** A state marked with its model; undefined where it is too large to be stored. */
export function markState(state: unknown, modelId: string): unknown {
  try {
    const { length } = JSON.stringify(state) ?? '';
    return isVendorState(state) && length <= maxStateLength ? { ...state, modelId } : undefined;
  } catch {
    // It nests more deeply than the stack allows.
    return undefined;
  }
}

/** The message without a state that another model left, such as the one that had this name before. */
export function withoutForeignState(message: ModelMessage, modelId: string): ModelMessage {
  if (message.role !== 'assistant' || !isVendorState(message.vendorState)) {
    return message;
  }
  const { modelId: owner = modelId } = message.vendorState;
  return owner === modelId ? message : { ...message, vendorState: undefined };
}

function isVendorState(state: unknown): state is VendorState {
  return typeof state === 'object' && state !== null && 'vendor' in state && 'items' in state;
}
