import { isRecord } from '@knowhow/shared/is-record';

/** Fields of a message or a call that are not of the protocol: signatures, details of reasoning. */
export type VendorFields = Record<string, unknown>;

/** Characters of one field as JSON. A longer one is dropped, since a part of it is no use. */
const maxFieldLength = 256 * 1024;
const maxFields = 32;
const maxDepth = 16;

/** Names with which an assignment would change an object's prototype. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The fields of an object that are not known, and that hold something. */
export function withoutFields(value: object, known: ReadonlySet<string>): VendorFields {
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([name, field]) => !known.has(name) && !unsafeNames.has(name) && holdsSomething(field),
      )
      .slice(0, maxFields),
  );
}

function holdsSomething(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

/** Fields as they are after a further piece of a stream: texts and lists grow, all else is replaced. */
export function mergeVendorFields(fields: VendorFields, added: VendorFields): VendorFields {
  const names = Object.keys(added);
  return names.length === 0 ? fields : mergeRecords(fields, added, maxDepth);
}

/** The fields that are small enough to be stored and sent back. */
export function boundedFields(fields: VendorFields): VendorFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSmall(value)));
}

function isSmall(value: unknown): boolean {
  try {
    return (JSON.stringify(value)?.length ?? 0) <= maxFieldLength;
  } catch {
    // It nests more deeply than the stack allows.
    return false;
  }
}

function mergeRecords(one: VendorFields, other: VendorFields, depth: number): VendorFields {
  const merged = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    if (unsafeNames.has(name) || !holdsSomething(value)) {
      continue;
    }
    if (merged.has(name) || merged.size < maxFields) {
      merged.set(name, mergeValues(merged.get(name), value, depth - 1));
    }
  }
  return Object.fromEntries(merged);
}

function mergeValues(one: unknown, other: unknown, depth: number): unknown {
  if (typeof one === 'string' && typeof other === 'string') {
    // A server that says the same again repeats it; others send a text in pieces.
    return one === other || one.length > maxFieldLength ? one : one + other;
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return mergeLists(one, other, depth);
  }
  return isRecord(one) && isRecord(other) && depth > 0 ? mergeRecords(one, other, depth) : other;
}

/** Pieces of one block of reasoning become one block; after its signature the next one begins. */
function mergeLists(one: unknown[], other: unknown[], depth: number): unknown[] {
  const merged = one;
  for (const item of other) {
    const last = merged.at(-1);
    if (isRecord(last) && isRecord(item) && depth > 0 && isSameBlock(last, item)) {
      merged[merged.length - 1] = mergeBlocks(last, item);
    } else if (merged.length < maxItems) {
      merged.push(item);
    }
  }
  return merged;
}

const maxItems = 10_000;

/** Fields that grow from piece to piece in a block of reasoning, by the names that servers have for them. */
const grownFields = ['text', 'summary', 'thinking', 'reasoning'] as const;

function isSameBlock(last: VendorFields, item: VendorFields): boolean {
  const isSame = (name: string) =>
    !holdsSomething(last[name]) || !holdsSomething(item[name]) || last[name] === item[name];
  return (
    typeof item.type === 'string' &&
    last.type === item.type &&
    ['index', 'id'].every(isSame) &&
    !holdsSomething(last.signature) &&
    !holdsSomething(item.data)
  );
}

function mergeBlocks(last: VendorFields, item: VendorFields): VendorFields {
  const merged: VendorFields = { ...last };
  for (const [name, value] of Object.entries(item)) {
    if (!holdsSomething(value) || unsafeNames.has(name)) {
      continue;
    }
    const isGrown = grownFields.some((grown) => grown === name);
    const before = merged[name];
    merged[name] =
      isGrown && typeof before === 'string' && typeof value === 'string' ? before + value : value;
  }
  return merged;
}
