import { adminRights } from '@knowhow/shared/access/admin-rights';
import { rightsFor } from '@knowhow/shared/access/rights-for';
import { api } from '@knowhow/shared/api';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../../testing/access-row.ts';
import { accessRows } from '../../testing/access-rows.ts';
import {
  accessFiles,
  callers,
  openStage,
  type Stage,
  signInAgainAll,
} from '../../testing/access-stage.ts';
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts';

let stage: Stage;
/** An installation where anyone may chat without signing in. */
let open: TestServer;

beforeAll(async () => {
  stage = await openStage(await startTestServer({ files: accessFiles }));
  open = await startTestServer();
});
afterAll(() => Promise.all([stage.server.close(), open.close()]));

function named<T>(areas: Record<string, Record<string, T>>): [name: string, T][] {
  return Object.entries(areas).flatMap(([area, entries]) =>
    Object.entries(entries).map(([name, entry]): [string, T] => [`${area}.${name}`, entry]),
  );
}

const endpoints = new Map(named<AnyEndpoint>(api));
const rows = named<Row | Row[]>(accessRows).flatMap(([name, row]) =>
  [row].flat().map((one): [string, Row] => [name, one]),
);

/** The expected status for each caller. Callers with access come last, as they may change or delete the resource. */
async function answersOf({ answers, send }: Row, { method }: AnyEndpoint): Promise<unknown[]> {
  const expected = callers.map((caller, index) => ({ caller, answer: answers[index] }));
  const refusedFirst = expected.toSorted(
    (one, other) => Number(one.answer === '2xx') - Number(other.answer === '2xx'),
  );
  const got = new Map<string, unknown>();
  for (const { caller } of refusedFirst) {
    const { path, ...sent } = await send(stage, caller);
    const response = await stage.visitors[caller](path, { ...sent, method });
    const text = await response.text();
    got.set(caller, response.ok ? '2xx' : response.status);
    expect(text, caller).not.toContain('There is nothing at');
  }
  return callers.map((caller) => got.get(caller));
}

test('the permission table names only endpoints for administrators', () => {
  const others = [...endpoints.values()].filter(({ access }) => access !== 'admin');
  expect(others.filter((endpoint) => rightsFor(endpoint).length > 0)).toEqual([]);
});

test('every endpoint is covered', () => {
  expect(new Set(rows.map(([name]) => name))).toEqual(new Set(endpoints.keys()));
});

describe.each(rows)('%s', (name, row) => {
  const endpoint = endpoints.get(name) as AnyEndpoint;

  test(`is for ${endpoint.access}, so a guest has ${endpoint.access === 'admin' ? 'no ' : ''}access`, async () => {
    const { path } = await row.send(stage, 'anonymous');
    const response = await open.visitor()(path, { method: endpoint.method });
    expect(response.status === 401).toBe(endpoint.access === 'admin');
  });

  if (endpoint.access === 'admin') {
    const rights = rightsFor(endpoint);
    test(`is for administrators with ${['all rights', ...rights].join(', or ')}`, async () => {
      const { path, ...sent } = await row.send(stage, 'admin');
      for (const right of adminRights) {
        const isIn = rights.includes(right);
        if (!isIn || endpoint.method === 'GET') {
          const response = await stage.limited[right](path, { ...sent, method: endpoint.method });
          await response.text();
          expect(response.status === 403, right).toBe(!isIn);
        }
      }
    });
  }

  test(`answers anonymous, user, other and admin with ${row.answers.join(', ')}`, async () => {
    expect(await answersOf(row, endpoint)).toEqual(row.answers);
    if (row.signsOut) {
      stage.visitors = await signInAgainAll(stage);
    }
  });
});

test('an address without a contract is a 404 problem', async () => {
  const response = await stage.visitors.admin('/api/nope?secret=x');
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(await response.json()).toMatchObject({ detail: 'There is nothing at GET /api/nope.' });
});
