import { randomBytes } from 'node:crypto';
import { isRecord } from '@knowhow/shared/is-record';
import type { ModelToolCall } from './model.ts';
import { parseToolInput } from './tool-input.ts';
import { mergeVendorFields, type VendorFields, withoutFields } from './vendor-fields.ts';

interface OpenCall {
  id: string;
  name: string;
  text: string;
  scan: JsonScan;
  fields: VendorFields;
}

/** A tool call with its server's unknown fields. */
export interface CollectedCall {
  call: ModelToolCall;
  /** Sent back with the call. */
  fields: VendorFields;
  /** Whether its arguments are complete JSON, or empty. */
  isWhole: boolean;
}

export interface ToolCallCollector {
  /** Adds an element of `tool_calls`, or a `function_call` as older servers send it. */
  add(delta: unknown): void;
  /** The calls received so far; those without a name are omitted. */
  calls(): CollectedCall[];
}

const knownFields: ReadonlySet<string> = new Set([
  ...['index', 'id', 'type', 'function', 'name', 'arguments'],
]);
const knownFunctionFields: ReadonlySet<string> = new Set(['name', 'arguments']);

/**
 * Joins the deltas of tool calls in a stream of chat completions. Many servers omit the index or the ID, repeat them,
 * or change them between deltas. A delta without a name belongs to the call of its index, else of its ID, else to the
 * last call. A name starts a new call, unless it repeats the name of a call with incomplete arguments.
 */
export function collectToolCalls(): ToolCallCollector {
  const open: OpenCall[] = [];
  const byIndex = new Map<string, OpenCall>();
  const byId = new Map<string, OpenCall>();

  const begin = (): OpenCall => {
    const call = { id: '', name: '', text: '', scan: newScan(), fields: {} };
    open.push(call);
    return call;
  };
  const find = (piece: Piece): OpenCall | undefined => {
    const sameIndex = piece.index === undefined ? undefined : byIndex.get(piece.index);
    const sameId = piece.id === '' ? undefined : byId.get(piece.id);
    const last = open.at(-1);
    if (piece.name === '') {
      return sameIndex ?? sameId ?? last;
    }
    const isNewIndex = piece.index !== undefined && !sameIndex;
    const known = sameIndex ?? sameId ?? (isNewIndex ? undefined : last);
    const isContinuation = known && continues(known, piece);
    // Some servers give all calls the same ID. With a new index, it is the same call only if the delta has arguments.
    return isContinuation && (!isNewIndex || piece.text !== '') ? known : undefined;
  };
  return {
    add(delta) {
      const piece = readPiece(delta);
      if (!piece) {
        return;
      }
      const call = find(piece) ?? begin();
      if (piece.index !== undefined) {
        byIndex.set(piece.index, call);
      }
      if (piece.id !== '' && call.id === '') {
        call.id = piece.id;
        byId.set(piece.id, call);
      }
      call.name ||= piece.name;
      if (!(isWhole(call.scan) && call.text.trim() === piece.text.trim())) {
        call.text += piece.text;
        scanJson(call.scan, piece.text);
      }
      call.fields = mergeVendorFields(call.fields, piece.fields);
    },
    calls() {
      const ids = new Set<string>();
      return open
        .filter(({ name }) => name !== '')
        .map(({ id, name, text, scan, fields }) => {
          const isUsable = id !== '' && !ids.has(id);
          ids.add(id);
          const input = parseToolInput(text);
          return {
            call: { id: isUsable ? id : newCallId(), name, input },
            fields,
            isWhole: text.trim() === '' || isWhole(scan),
          };
        });
    },
  };
}

/** Whether a delta with a name continues a known call. */
function continues(call: OpenCall, { id, name, text }: Piece): boolean {
  if (call.name === '') {
    return true;
  }
  if (call.name !== name) {
    return false;
  }
  const isOtherId = id !== '' && call.id !== '' && id !== call.id;
  if (isWhole(call.scan)) {
    // Some servers repeat the whole call at its end.
    const isRepeated = text.trim() === '' || (id !== '' && text.trim() === call.text.trim());
    return !isOtherId && isRepeated;
  }
  return !isOtherId || call.scan.hasBegun;
}

interface Piece {
  index: string | undefined;
  id: string;
  name: string;
  text: string;
  fields: VendorFields;
}

function readPiece(delta: unknown): Piece | undefined {
  if (!isRecord(delta)) {
    return undefined;
  }
  const { index, id } = delta;
  // Some servers omit the `function` level.
  const hasFunction = isRecord(delta.function);
  const called = isRecord(delta.function) ? delta.function : delta;
  const functionFields = hasFunction ? withoutFields(called, knownFunctionFields) : {};
  return {
    index: index === undefined || index === null ? undefined : String(index),
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name: typeof called.name === 'string' ? called.name : '',
    text: argumentsText(called.arguments),
    fields: {
      ...withoutFields(delta, knownFields),
      ...(Object.keys(functionFields).length > 0 ? { function: functionFields } : {}),
    },
  };
}

/** Incremental JSON scanner that reads each character once. */
interface JsonScan {
  depth: number;
  isQuoted: boolean;
  isEscaped: boolean;
  hasBegun: boolean;
}

function newScan(): JsonScan {
  return { depth: 0, isQuoted: false, isEscaped: false, hasBegun: false };
}

function isWhole({ depth, isQuoted, hasBegun }: JsonScan): boolean {
  return hasBegun && depth === 0 && !isQuoted;
}

function scanJson(scan: JsonScan, text: string): void {
  for (const character of text) {
    if (scan.isQuoted) {
      scan.isQuoted = scan.isEscaped || character !== '"';
      scan.isEscaped = !scan.isEscaped && character === '\\';
    } else if (character === '"') {
      scan.isQuoted = true;
      scan.hasBegun = true;
    } else if (character === '{' || character === '[') {
      scan.depth += 1;
      scan.hasBegun = true;
    } else if (character === '}' || character === ']') {
      scan.depth -= 1;
    }
  }
}

/** Generates an ID for a call without one. */
export function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

/** Arguments are text in the protocol; some servers send an object. */
function argumentsText(value: unknown): string {
  return typeof value === 'string' || value === undefined || value === null
    ? (value ?? '')
    : JSON.stringify(value);
}
