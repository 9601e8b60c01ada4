import { problem } from '@knowhow/shared/problem';
import express, { type RequestHandler } from 'express';

/** Above the longest message, so that the answer to a longer one says which field is too long. */
const maxBodyBytes = 4 * 1024 * 1024;
/** Far above what any page sends: what is large is a text. Parsing and checking take no time up to there. */
const maxDepth = 100;
const maxValues = 50_000;

/** What `problemHandler` goes by. */
export const tooComplex = 'json.too-complex';

/**
 * Reads a body of JSON. Millions of values or levels would hold the event loop up for a second while they
 * are parsed and checked: they are counted before.
 */
export const jsonBody: RequestHandler = (request, response, next) => {
  // What is announced as too large is not waited for.
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    throw problem('too-large', 'The body is larger than 4 MiB, which is the most that is taken.');
  }
  readJson(request, response, next);
};

const readJson = express.json({
  limit: maxBodyBytes,
  verify: (_request, _response, bytes, encoding) => {
    if (encoding !== 'utf-8') {
      throw Object.assign(new Error(), { type: 'charset.unsupported' });
    }
    if (isTooComplex(bytes)) {
      throw Object.assign(new Error(), { type: tooComplex });
    }
  },
});

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether it is nested deeper, or has more values, than is taken. Bytes that are no JSON count somehow. */
function isTooComplex(bytes: Buffer): boolean {
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) {
        at += 1;
      }
      isText = byte !== quote;
    } else if (byte === quote) {
      isText = true;
    } else if (byte === comma) {
      values += 1;
    } else if (byte === openArray || byte === openObject) {
      depth += 1;
      values += 1;
    } else if (byte === closeArray || byte === closeObject) {
      depth -= 1;
    }
    if (depth > maxDepth || values > maxValues) {
      return true;
    }
  }
  return false;
}
