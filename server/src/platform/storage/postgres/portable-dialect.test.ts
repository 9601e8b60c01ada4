import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../database-unavailable.ts';
import { PortableDialect } from './portable-dialect.ts';

/** A pool whose connections fail every statement with this error code. */
function failingWith(code: string) {
  const connection = {
    query: () => Promise.reject(Object.assign(new Error('Broken.'), { code })),
    release: () => undefined,
  };
  const pool = { connect: () => Promise.resolve(connection), end: () => Promise.resolve() };
  return new Kysely({ dialect: new PortableDialect(() => Promise.resolve(pool as never)) });
}

test('distinguishes a broken connection from a failed statement', async () => {
  for (const code of ['EPIPE', 'ECONNRESET', '57P01', '08006', '53300']) {
    await expect(sql`select 1`.execute(failingWith(code)), code).rejects.toThrow(
      DatabaseUnavailable,
    );
  }
  for (const code of ['23505', '42P01', 'XX000', '0A000']) {
    await expect(sql`select 1`.execute(failingWith(code)), code).rejects.toThrow('Broken.');
  }
});
