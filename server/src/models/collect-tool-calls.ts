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

/** A call, with the fields of its server that we do not know. */
export interface CollectedCall {
  call: ModelToolCall;
  /** To be sent back with the call. */
  fields: VendorFields;
  /** Whether its arguments are whole JSON, or empty. */
  isWhole: boolean;
}

export interface ToolCallCollector {
  /** Adds an element of `tool_calls`, or a `function_call` as older servers send it. */
  add(delta: unknown): void;
  /** The calls as far as they have come; those without a name are left out. */
  calls(): CollectedCall[];
}

const knownFields: ReadonlySet<string> = new Set([
  ...['index', 'id', 'type', 'function', 'name', 'arguments'],
]);
const knownFunctionFields: ReadonlySet<string> = new Set(['name', 'arguments']);

/**
 * Joins the pieces of the calls in a stream of chat completions. Many servers leave out the index or the
 * id, repeat them, or change them from piece to piece. A piece without a name belongs to the call of its
 * index, else of its id, else to the last call. A name begins a new call, unless it repeats the name of
 * a call whose arguments are not whole yet.
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
    const ofIndex = piece.index === undefined ? undefined : byIndex.get(piece.index);
    const ofId = piece.id === '' ? undefined : byId.get(piece.id);
    const last = open.at(-1);
    if (piece.name === '') {
      return ofIndex ?? ofId ?? last;
    }
    const isNewIndex = piece.index !== undefined && !ofIndex;
    const known = ofIndex ?? ofId ?? (isNewIndex ? undefined : last);
    const isMore = known && continues(known, piece);
    // Some servers give all calls one id: on a new index it is the same call only if it says the same.
    return isMore && (!isNewIndex || piece.text !== '') ? known : undefined;
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

/** Whether a piece with a name is more of a call that is known. */
function continues(call: OpenCall, { id, name, text }: Piece): boolean {
  if (call.name === '') {
    return true;
  }
  if (call.name !== name) {
    return false;
  }
  const isOtherId = id !== '' && call.id !== '' && id !== call.id;
  if (isWhole(call.scan)) {
    // Some servers say the whole call once more at its end.
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
  // Some servers leave out the level of the function.
  const hasFunction = isRecord(delta.function);
  const called = isRecord(delta.function) ? delta.function : delta;
  const functionFields = hasFunction ? withoutFields(called, knownFunctionFields) : {};
  return {
    index: index === undefined || index === null ? undefined : String(index),
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name: typeof called.name === 'string' ? called.name : '',
    text: textOf(called.arguments),
    fields: {
      ...withoutFields(delta, knownFields),
      ...(Object.keys(functionFields).length > 0 ? { function: functionFields } : {}),
    },
  };
}

/** How far a JSON object has come; read piece by piece, each character once. */
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
  for (const sign of text) {
    if (scan.isQuoted) {
      scan.isQuoted = scan.isEscaped || sign !== '"';
      scan.isEscaped = !scan.isEscaped && sign === '\\';
    } else if (sign === '"') {
      scan.isQuoted = true;
      scan.hasBegun = true;
    } else if (sign === '{' || sign === '[') {
      scan.depth += 1;
      scan.hasBegun = true;
    } else if (sign === '}' || sign === ']') {
      scan.depth -= 1;
    }
  }
}

/** An id for a call that came without one. */
export function newCallId(): string {
  return `call_${randomBytes(12).toString('hex')}`;
}

/** Arguments are text by the protocol; some servers send the object itself. */
function textOf(value: unknown): string {
  return typeof value === 'string' || value === undefined || value === null
    ? (value ?? '')
    : JSON.stringify(value);
}
