import { problem } from '@knowhow/shared/problem';
import express, { type RequestHandler } from 'express';
import { createJsonMeter, JsonLimitExceeded } from '../lib/json-meter.ts';

/** Larger than the longest message, so that the error for a longer one can name the field. */
const maxBodyBytes = 4 * 1024 * 1024;
/** Far above what any page sends: real bodies are large because of text. Parsing within these limits is fast. */
const limits = {
  maxBytes: maxBodyBytes,
  maxDepth: 100,
  maxValues: 50_000,
  maxKeys: 50_000,
  maxStringBytes: maxBodyBytes,
};

/** `problemHandler` recognises this error type. */
export const tooComplexErrorType = 'json.too-complex';

/**
 * Parses a JSON body within limits of depth and number of values. Parsing millions of values would block the
 * event loop for a second, so they are counted first.
 */
export const jsonBody: RequestHandler = (request, response, next) => {
  // Reject at once if Content-Length exceeds the limit.
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    throw problem('too-large', 'The body is larger than the limit of 4 MiB.');
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
      throw error instanceof JsonLimitExceeded
        ? Object.assign(error, { type: tooComplexErrorType })
        : error;
    }
  },
});
