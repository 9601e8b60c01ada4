import { isRecord } from '@knowhow/shared/is-record';
import { createParser, type ParseError } from 'eventsource-parser';
import { parseJson } from '../lib/parse-json.ts';
import { ModelFailure } from './model-failure.ts';
import { findReportedError } from './reported-error.ts';

/** Lines outside the protocol: each is reported at some cost, and too many are no answer. */
const maxFaults = 1000;
/** Events without a value, such as keep-alives: one a second for hours. */
const maxEmptyEvents = 10_000;
/** Characters of an answer that comes as one JSON text instead of a stream: 8 Mi. */
const maxWholeLength = 8 * 1024 * 1024;

interface Arrived<Data> {
  values: Data[];
  /** The error that ended the stream. It is thrown after the values that came before it. */
  failure?: unknown;
}

/**
 * The values of a stream of server-sent events (WHATWG HTML, 9.2), in batches as they arrived together.
 * It tolerates these deviations from the protocol: events without data, keep-alive words, no empty
 * line between or after events, JSON lines without `data:`, and one whole JSON answer instead of a stream.
 *
 * Throws a `SyntaxError` for broken JSON, and a `ModelFailure` for an error that the server reports. It
 * reads on after `[DONE]` and drops the rest, so that the connection can serve again.
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
    if (!reader && head.trim() === '' && head.length < maxFaults) {
      continue;
    }
    reader ??= /^\s*[{[]/.test(head) ? readWhole() : readEvents(onDone);
    yield* take(reader.feed(head));
    head = '';
  }
  yield* take(reader?.end() ?? { values: [] });
}

function* take<Data>({ values, failure }: Arrived<Data>): Generator<Data[]> {
  if (values.length > 0) {
    yield values;
  }
  if (failure !== undefined) {
    throw failure;
  }
}

interface ValueReader<Data> {
  feed(text: string): Arrived<Data>;
  end(): Arrived<Data>;
}

function readEvents<Data>(onDone: () => void): ValueReader<Data> {
  let arrived: Arrived<Data> = { values: [] };
  let isDone = false;
  const refuseFault = countdown(maxFaults, 'lines that are no events');
  const refuseEmpty = countdown(maxEmptyEvents, 'empty events');
  const parser = createParser({
    maxBufferSize: maxWholeLength,
    onError: (error) => {
      throwReported(error);
      refuseFault();
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
      const before = arrived.values.length;
      parseData(data, event, arrived.values);
      if (arrived.values.length === before) {
        refuseEmpty();
      }
    },
  });
  const feed = (text: string) => {
    const batch: Arrived<Data> = { values: [] };
    arrived = batch;
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
      // An event that broke off is no answer; the reader knows whether the answer was over.
      return last.failure instanceof SyntaxError ? { values: last.values } : last;
    },
  };
}

/** A function that may be called `count` times; the next call throws that there is more than that of `what`. */
function countdown(count: number, what: string): () => void {
  let left = count;
  return () => {
    left -= 1;
    if (left < 0) {
      throw tooMuch(`${count} ${what}`);
    }
  };
}

function tooMuch(limit: string): ModelFailure {
  return new ModelFailure({ kind: 'garbage', detail: `It sent more than ${limit}.` });
}

/** llama.cpp reports an error in a field of its own: `error: {…}`. */
function throwReported({ type, field, value }: ParseError): void {
  if (type === 'max-buffer-size-exceeded') {
    throw tooMuch(`${maxWholeLength} characters in one event`);
  }
  if (type === 'unknown-field' && field === 'error') {
    throw findReportedError(parseJson(value ?? '') ?? value, 'error') ?? new SyntaxError();
  }
}

/** Adds what the data of one event holds; nothing for a keep-alive. */
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
    // Its shape is the protocol's; readers expect any field to be missing.
    values.push(value as Data);
  }
}

/** One JSON text, or one on each line where a server leaves out the lines between events. */
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

/** An answer as one JSON text, as an array of all its pieces, or as JSON lines. */
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
