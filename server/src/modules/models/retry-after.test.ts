import { describe, expect, it } from 'vitest';
import { retryAfter } from './retry-after.ts';

const now = Date.parse('2030-01-01T00:00:00Z');

describe('the retry delay requested by a provider', () => {
  it.each<[Record<string, string>, string, number | undefined]>([
    [{ 'retry-after': '7' }, '', 7],
    [{ 'retry-after': '0.2' }, '', 1],
    [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' }, '', 30],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, '', 2],
    [{}, '{"details": [{"retryDelay": "43.5s"}]}', 44],
    [{ 'retry-after': 'soon' }, '', undefined],
    [{ 'retry-after': '-5' }, '', undefined],
    [{ 'retry-after': 'Mon, 01 Jan 2029 00:00:30 GMT' }, '', undefined],
    [{ 'retry-after': '99999999' }, '', undefined],
    [{}, '', undefined],
  ])('for headers %o and body %j is %s seconds', (headers, body, seconds) => {
    expect(retryAfter({ headers: new Headers(headers), body }, now)).toBe(seconds);
  });
});
