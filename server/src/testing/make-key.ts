import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import { parseAnswer } from './parse-answer.ts';
import type { TestServer, Visitor } from './start-test-server.ts';

/** Creates an API key for a user, and a client that uses it. */
export async function makeKey(
  server: TestServer,
  owner: Visitor,
  scopes: KeyScope[],
  wanted: { name?: string; expiresInDays?: number } = {},
) {
  const json = { name: 'A program', ...wanted, scopes };
  const { key, details } = await parseAnswer(
    apiKeysApi.create.response,
    owner('/api/account/keys', { json }),
  );
  return { key, id: details.id, program: programWith(server, key) };
}

/** A client that sends the token with each request. */
export function programWith(server: TestServer, token: string): Visitor {
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return server.visitor()(path, { ...init, headers });
  };
}
