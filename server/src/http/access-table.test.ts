import { randomUUID } from 'node:crypto';
import { api } from '@knowhow/shared/api';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  adminPassword,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../testing/start-test-server.ts';

let closed: TestServer;
let open: TestServer;
let admin: Visitor;

beforeAll(async () => {
  closed = await startTestServer({
    files: { 'config/platform.json': { anonymousAuth: { enabled: false } } },
  });
  open = await startTestServer();
  admin = open.visitor();
  await admin('/api/auth/login', { json: { username: 'admin', password: adminPassword } });
});
afterAll(() => Promise.all([closed.close(), open.close()]));

const contracts: [string, AnyEndpoint][] = Object.entries(api).flatMap(([area, endpoints]) =>
  Object.entries(endpoints).map(([name, endpoint]): [string, AnyEndpoint] => [
    `${area}.${name}`,
    endpoint,
  ]),
);

/** A call that is well formed but for its body. */
function call(visitor: Visitor, { method, path }: AnyEndpoint): Promise<Response> {
  const address = path
    .replace(':appId', 'chat')
    .replace(/:(conversationId|id)/, randomUUID())
    .replace(':name', 'meeting-notes')
    .replace(':revision', '1')
    .replace('*path', 'references/format.md');
  return visitor(address, { method });
}

describe.each(contracts)('%s', (_name, endpoint) => {
  test('has a handler', async () => {
    const response = await call(admin, endpoint);
    const text = await response.text();
    expect(response.status).toBeLessThan(500);
    expect(text).not.toContain('There is nothing at');
  });

  test(`is for ${endpoint.access}`, async () => {
    const stranger = await call(closed.visitor(), endpoint);
    const visitor = await call(open.visitor(), endpoint);
    expect(stranger.status === 401).toBe(endpoint.access !== 'public');
    expect(visitor.status === 401).toBe(endpoint.access === 'admin');
  });
});

test('an address that no contract names is a 404 problem', async () => {
  const response = await admin('/api/nope?secret=x');
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(await response.json()).toMatchObject({ detail: 'There is nothing at GET /api/nope.' });
});
