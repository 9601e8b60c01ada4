import type { ModelEvent, ModelMessage } from './model.ts';

interface VendorState {
  vendor: string;
  items: unknown[];
  /** `modelId` of the model that produced it. */
  modelId?: string;
}

/** Maximum characters as JSON. Larger states are dropped; no vendor needs that much. */
const maxStateLength = 1024 * 1024;

/** The event for a vendor's state, tagged with the vendor, because another model may continue the conversation. */
export function vendorState(vendor: string, items: unknown[]): ModelEvent {
  return { type: 'vendor-state', state: { vendor, items } satisfies VendorState };
}

/** The items that this vendor left with an answer, if any. `Item` is the type of what was stored. */
export function vendorItems<Item>(message: ModelMessage, vendor: string): Item[] | undefined {
  const state = message.role === 'assistant' ? message.vendorState : undefined;
  return isVendorState(state) && state.vendor === vendor ? (state.items as Item[]) : undefined;
}

/** Tags a state with its model; undefined if it is too large to store. */
export function markState(state: unknown, modelId: string): unknown {
  try {
    const { length } = JSON.stringify(state) ?? '';
    return isVendorState(state) && length <= maxStateLength ? { ...state, modelId } : undefined;
  } catch {
    // Nested too deeply for the stack.
    return undefined;
  }
}

/** Drops a state of another model from a message, e.g. of a different model with the same name earlier. */
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
