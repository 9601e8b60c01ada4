import type { ModelEvent, ModelMessage } from './model.ts';

interface VendorState {
  vendor: string;
  items: unknown[];
}

/** What a vendor wants back, marked with whose it is: a conversation may go on with another model. */
export function vendorState(vendor: string, items: unknown[]): ModelEvent {
  return { type: 'vendor-state', state: { vendor, items } satisfies VendorState };
}

/** The items that this vendor left with an answer, or undefined. `Item` is what it had put there. */
export function vendorItems<Item>(message: ModelMessage, vendor: string): Item[] | undefined {
  const state = message.role === 'assistant' ? message.vendorState : undefined;
  return isVendorState(state) && state.vendor === vendor ? (state.items as Item[]) : undefined;
}

function isVendorState(state: unknown): state is VendorState {
  return typeof state === 'object' && state !== null && 'vendor' in state && 'items' in state;
}
