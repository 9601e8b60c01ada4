import { isRecord } from '@knowhow/shared/is-record';
import { createParser, type ParseError } from 'eventsource-parser';
import { parseJson } from '../../platform/lib/parse-json.ts';
import { ModelFailure } from './model-failure.ts';

/** Maximum lines that violate the protocol; each has a cost. */
const maxInvalidLines = 1000;
/** Maximum events without a value, such as keep-alives: one per second for hours. */
const maxEmptyEvents = 10_000;
/** Maximum length of an answer that is one JSON text instead of a stream, in characters. */
const maxWholeLength = 8 * 1024 * 1024;

interface Batch<Data> {
  values: Data[];
  /** The error that ended the stream; thrown after the values before it. */
  failure?: unknown;
}

/**
 * Parses server-sent events (WHATWG HTML, 9.2) into values, in batches as they arrive. Tolerates: events without
 * data, keep-alive texts, missing empty lines between or after events, JSON lines without `data:`, and one JSON
 * answer instead of a stream.
 *
 * Throws a `SyntaxError` for invalid JSON and a `ModelFailure` for an error that the server reports. Drains the
 * stream after `[DONE]`, so that the connection can be reused.
 *
 * @param onDone called at `[DONE]`
 */
export async function* readSse<Data>(
  body: AsyncIterable<Uint8Array>,
  onDone: () => void = () => undefined,
): AsyncGenerator<Data[]> {
  const decoder = new TextDecoder();
  let reader: ValueReader<Data> | undefined;
  let head = '';
  for await (const bytes of body) {
    head += decoder.decode(bytes, { stream: true });
    if (!reader && head.trim() === '' && head.length < maxInvalidLines) {
      continue;
    }
    reader ??= /^\s*[{[]/.test(head) ? readWhole() : readEvents(onDone);
    yield* emitBatch(reader.feed(head));
    head = '';
  }
  yield* emitBatch(reader?.end() ?? { values: [] });
}

function* emitBatch<Data>({ values, failure }: Batch<Data>): Generator<Data[]> {
  if (values.length > 0) {
    yield values;
  }
  if (failure !== undefined) {
    throw failure;
  }
}

interface ValueReader<Data> {
  feed(text: string): Batch<Data>;
  end(): Batch<Data>;
}

function readEvents<Data>(onDone: () => void): ValueReader<Data> {
  let current: Batch<Data> = { values: [] };
  let isDone = false;
  const countInvalidLine = countdown(maxInvalidLines, 'lines that are no events');
  const countEmptyEvent = countdown(maxEmptyEvents, 'empty events');
  const parser = createParser({
    maxBufferSize: maxWholeLength,
    onError: (error) => {
      throwReported(error);
      countInvalidLine();
    },
    onEvent: ({ event, data }) => {
      if (isDone) {
        return;
      }
      if (data.trimStart().startsWith('[DONE]')) {
        isDone = true;
        onDone();
        return;
      }
      const before = current.values.length;
      parseData(data, event, current.values);
      if (current.values.length === before) {
        countEmptyEvent();
      }
    },
  });
  const feed = (text: string) => {
    const batch: Batch<Data> = { values: [] };
    current = batch;
    try {
      parser.feed(text);
    } catch (failure) {
      batch.failure = failure;
    }
    return batch;
  };
  return {
    feed,
    end: () => {
      const last = feed('\n\n');
      // An incomplete event is ignored; the reader knows whether the answer was complete.
      return last.failure instanceof SyntaxError ? { values: last.values } : last;
    },
  };
}

/** A function that may be called `count` times; the next call throws that the limit for `what` is exceeded. */
function countdown(count: number, what: string): () => void {
  let remaining = count;
  return () => {
    remaining -= 1;
    if (remaining < 0) {
      throw tooMuch(`${count} ${what}`);
    }
  };
}

function tooMuch(limit: string): ModelFailure {
  return new ModelFailure({ kind: 'garbage', detail: `It sent more than ${limit}.` });
}

/** llama.cpp reports an error in a separate field: `error: {…}`. */
function throwReported({ type, field, value }: ParseError): void {
  if (type === 'max-buffer-size-exceeded') {
    throw tooMuch(`${maxWholeLength} characters in one event`);
  }
  if (type === 'unknown-field' && field === 'error') {
    throw findReportedError(parseJson(value ?? '') ?? value, 'error') ?? new SyntaxError();
  }
}

/** Adds the values in one event's data; none for a keep-alive. */
function parseData<Data>(data: string, event: string | undefined, values: Data[]): void {
  const text = data.trim();
  if (!/^(\{|\[(?![a-z ]))/i.test(text)) {
    if (event === 'error' || /^\W{0,9}error\b/i.test(text)) {
      throw new ModelFailure({ kind: 'reported', body: text });
    }
    return;
  }
  for (const value of parseLines(text)) {
    const failure = findReportedError(value, event);
    if (failure) {
      throw failure;
    }
    // Not validated; readers expect that any field may be missing.
    values.push(value as Data);
  }
}

/** One JSON text, or one per line if a server omits the empty lines between events. */
function* parseLines(text: string): Generator<unknown> {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length < 2) {
      throw error;
    }
    for (const line of lines) {
      const json = line.replace(/^data:/, '');
      if (!json.startsWith('[DONE]')) {
        yield JSON.parse(json);
      }
    }
    return;
  }
  yield whole;
}

/** An answer as one JSON text, as an array of its chunks, or as JSON lines. */
function readWhole<Data>(): ValueReader<Data> {
  const pieces: string[] = [];
  let length = 0;
  return {
    feed: (text) => {
      pieces.push(text);
      length += text.length;
      const failure = tooMuch(`${maxWholeLength} characters`);
      return length > maxWholeLength ? { values: [], failure } : { values: [] };
    },
    end: () => {
      const values: Data[] = [];
      try {
        for (const value of parseLines(pieces.join(''))) {
          for (const each of Array.isArray(value) ? value : [value]) {
            const failure = findReportedError(each);
            if (failure) {
              throw failure;
            }
            if (isRecord(each)) {
              values.push(each as Data);
            }
          }
        }
      } catch (failure) {
        return { values, failure };
      }
      return { values };
    },
  };
}

/** Answer fields of all protocols: a value with one of them is an answer, unless it has an `error`. */
const answerFields = [
  ...['choices', 'candidates', 'promptFeedback', 'usageMetadata', 'usage'],
  ...['delta', 'message_start', 'content', 'content_block', 'response', 'output', 'item', 'type'],
];

/**
 * The error that a stream value, or a whole body, reports. Servers use many forms: `{error}`, `{object: "error"}`,
 * `{type: "error"}`, `{code, msg}`, `{errors}`, `{detail}`, `{base_resp}`.
 *
 * @param event name of the server-sent event, if it has one
 */
function findReportedError(value: unknown, event?: string): ModelFailure | undefined {
  if (!isRecord(value)) {
    return event === 'error' ? toFailure(value) : undefined;
  }
  if (event === 'error' || value.object === 'error' || value.type === 'error') {
    return toFailure(value);
  }
  if (value.error) {
    return toFailure(value);
  }
  return !answerFields.some((field) => field in value) && hasErrorFields(value)
    ? toFailure(value)
    : undefined;
}

function hasErrorFields(value: Record<string, unknown>): boolean {
  const { base_resp: base } = value;
  return (
    ['msg', 'detail', 'errors', 'error_msg', 'error_message', 'errorMsg'].some((field) =>
      Boolean(value[field]),
    ) ||
    typeof value.message === 'string' ||
    (isRecord(base) && Boolean(base.status_code))
  );
}

function toFailure(value: unknown): ModelFailure {
  const status = findStatus(value);
  return new ModelFailure({
    kind: 'reported',
    ...(status === undefined ? {} : { status }),
    body: typeof value === 'string' ? value : JSON.stringify(value),
  });
}

/** An HTTP status among an error's codes; other codes are vendor-specific. */
function findStatus(value: unknown): number | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { error } = value;
  const codes = [...(isRecord(error) ? [error.code, error.status] : []), value.code, value.status];
  return codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600);
}
