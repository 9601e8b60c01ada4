import { problem } from '@knowhow/shared/problem';
import express, { type RequestHandler } from 'express';
import { createJsonMeter, JsonLimitExceeded } from '../lib/json-meter.ts';

/** Above the longest message, so that the answer to a longer one says which field is too long. */
const maxBodyBytes = 4 * 1024 * 1024;
/** Far above what any page sends: what is large is a text. Parsing and checking take no time up to there. */
const limits = {
  maxBytes: maxBodyBytes,
  maxDepth: 100,
  maxValues: 50_000,
  maxKeys: 50_000,
  maxStringBytes: maxBodyBytes,
};

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
    try {
      createJsonMeter(limits).read(bytes);
    } catch (error) {
      throw error instanceof JsonLimitExceeded ? Object.assign(error, { type: tooComplex }) : error;
    }
  },
});
