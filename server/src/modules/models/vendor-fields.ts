import { isRecord } from '@knowhow/shared/is-record';

/** Non-standard fields of a message or call, such as signatures and reasoning details. */
export type VendorFields = Record<string, unknown>;

/** Maximum characters of one field as JSON. Longer ones are dropped, because a truncated one is useless. */
const maxFieldLength = 256 * 1024;
const maxFields = 32;
const maxDepth = 16;

/** Names whose assignment would change an object's prototype (prototype pollution). */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The unknown, non-empty fields of an object. */
export function withoutFields(value: object, known: ReadonlySet<string>): VendorFields {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => !known.has(name) && !unsafeNames.has(name) && isPresent(field))
      .slice(0, maxFields),
  );
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

/** Merges fields from a further stream chunk: texts and lists are appended, everything else is replaced. */
export function mergeVendorFields(fields: VendorFields, added: VendorFields): VendorFields {
  const names = Object.keys(added);
  return names.length === 0 ? fields : mergeRecords(fields, added, maxDepth);
}

/** Fields that are small enough to store and send back. */
export function boundedFields(fields: VendorFields): VendorFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isSmall(value)));
}

function isSmall(value: unknown): boolean {
  try {
    return (JSON.stringify(value)?.length ?? 0) <= maxFieldLength;
  } catch {
    // Nested too deeply for the stack.
    return false;
  }
}

function mergeRecords(one: VendorFields, other: VendorFields, depth: number): VendorFields {
  const merged = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    if (unsafeNames.has(name) || !isPresent(value)) {
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
    // Some servers repeat the whole text; others send it in pieces.
    return one === other || one.length > maxFieldLength ? one : one + other;
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return mergeLists(one, other, depth);
  }
  return isRecord(one) && isRecord(other) && depth > 0 ? mergeRecords(one, other, depth) : other;
}

/** Pieces of one reasoning block are merged; after its signature the next block starts. */
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

/** Fields of a reasoning block that are sent in pieces, by the names that servers use. */
const appendedFields = ['text', 'summary', 'thinking', 'reasoning'] as const;

function isSameBlock(last: VendorFields, item: VendorFields): boolean {
  const isSame = (name: string) =>
    !isPresent(last[name]) || !isPresent(item[name]) || last[name] === item[name];
  return (
    typeof item.type === 'string' &&
    last.type === item.type &&
    ['index', 'id'].every(isSame) &&
    !isPresent(last.signature) &&
    !isPresent(item.data)
  );
}

function mergeBlocks(last: VendorFields, item: VendorFields): VendorFields {
  const merged: VendorFields = { ...last };
  for (const [name, value] of Object.entries(item)) {
    if (!isPresent(value) || unsafeNames.has(name)) {
      continue;
    }
    const isAppended = appendedFields.some((grown) => grown === name);
    const before = merged[name];
    merged[name] =
      isAppended && typeof before === 'string' && typeof value === 'string'
        ? before + value
        : value;
  }
  return merged;
}
