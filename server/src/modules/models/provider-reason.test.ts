import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../testing/cpu-time.ts';
import type { Failure } from './model-failure.ts';
import { providerReason } from './provider-reason.ts';

const secrets = { key: 'abcdef-secret-0123', endpoint: 'https://gw.intranet:8443/v1/responses' };
const headers = new Headers();

const reasonFor = (body: unknown, status = 400) =>
  providerReason(
    {
      kind: 'reported',
      status,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    secrets,
  );

describe("a provider's message, as shown to administrators", () => {
  it.each([
    [{ error: { message: 'No.', type: 'bad', code: 'no_way' } }, '400 no_way: No.'],
    [
      { type: 'error', error: { type: 'overloaded_error', message: 'No.' } },
      '400 overloaded_error: No.',
    ],
    [
      [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No.' } }],
      '400 INVALID_ARGUMENT: No.',
    ],
    [{ object: 'error', message: 'No.', type: 'invalid', code: 1 }, '400 invalid: No.'],
    [{ error: 'model not found' }, '400: model not found'],
    [{ detail: [{ loc: ['body'], msg: 'No.' }] }, '400: [{"loc":["body"],"msg":"No."}]'],
    [{ error: { message: 'a\n\u202eb\u0000' } }, '400: a b'],
    [`{"error":{"code":"odd","message":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_002)}`, '400 odd'],
  ])('for %j is %j', (body, reason) => {
    expect(reasonFor(body)).toBe(reason);
  });

  it('is empty for responses that do not follow a model protocol', () => {
    expect(reasonFor('<h1>Welcome to the intranet</h1>')).toBe('400');
    expect(reasonFor('root:x:0:0')).toBe('400');
    expect(reasonFor({ users: ['anna'] })).toBe('400');
  });

  it.each([
    ['Wrong key abcdef-secret-0123.', 'Wrong key [key].'],
    ['Wrong key abcdef-sec...', 'Wrong key [key]'],
    ['Wrong key ab****23', 'Wrong key [key]'],
    ['Wrong key ABCDEF-SECRET-0123.', 'Wrong key [key].'],
    ['Wrong key abcdef\u200b-secret-0123', 'Wrong key [key] [key]'],
    ['Wrong key ...ef-secret-01', 'Wrong key ...[key]'],
    ['Wrong key sk-proj-Xyz_1', 'Wrong key [key]'],
    ['Sent Bearer xyz', 'Sent [key]'],
    ['See https://gw.intranet:8443/secret/path now', 'See [address] now'],
    ['dial 10.0.0.7:80, [::1]:80, db.local:5432', 'dial [address], [address], [address]'],
    ['gw.intranet is down', '[address] is down'],
    [
      'The model claude-3-5-sonnet-20241022 is gone',
      'The model claude-3-5-sonnet-20241022 is gone',
    ],
  ])('for %j is %j, with key and address redacted', (message, reason) => {
    expect(reasonFor({ error: { message } })).toBe(`400: ${reason}`);
  });

  it.each<[Failure, string | undefined]>([
    [
      {
        kind: 'unreachable',
        error: Object.assign(new Error('at 10.0.0.7'), { code: 'ECONNREFUSED' }),
      },
      'ECONNREFUSED',
    ],
    [{ kind: 'cut' }, undefined],
    [{ kind: 'garbage' }, undefined],
    [{ kind: 'reported', body: 'MALFORMED_FUNCTION_CALL' }, 'MALFORMED_FUNCTION_CALL'],
  ])('for the failure %o is %j', (failure, reason) => {
    expect(providerReason(failure, secrets)).toBe(reason);
  });

  it('is short and extracted quickly, however long the error is', () => {
    const cpuMs = cpuTime(() => {
      for (const piece of ['a.', '1.', 'sk-', '*a', '[:', 'a-b.', 'http:', 'Bearer ', '\u200b ']) {
        const reason = reasonFor({ error: { message: piece.repeat(60_000 / piece.length) } });
        expect(reason?.length).toBeLessThanOrEqual(400);
      }
    });
    // A quadratic search would take minutes.
    expect(cpuMs).toBeLessThan(5000);
  });
});
