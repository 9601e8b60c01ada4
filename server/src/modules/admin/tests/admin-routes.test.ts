import { adminApi } from '@knowhow/shared/config/admin';
import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { backupApi } from '@knowhow/shared/config/backup';
import { healthApi } from '@knowhow/shared/config/health';
import { afterEach, expect, test } from 'vitest';
import type { z } from 'zod';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

let server: TestServer;
let admin: Visitor;
afterEach(() => server.close());

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<void> {
  server = await startTestServer(options);
  admin = await signInAdmin(server);
}

test('the status warns of anonymous visitors beyond this machine, with the current settings', async () => {
  const open = { anonymousAuth: { enabled: true } };
  await start({ environment: { HOST: '0.0.0.0' }, files: { 'config/platform.json': open } });
  const status = adminApi.status.response.parse(await (await admin('/api/admin/status')).json());
  expect(status.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(status.warnings).toEqual([expect.stringContaining('anonymousAuth')]);
});

test('on this machine there are no warnings', async () => {
  await start();
  expect(await (await admin('/api/admin/status')).json()).toMatchObject({ warnings: [] });
});

test('the audit log is filtered by kind and target, page by page', async () => {
  await start();
  for (const id of ['a', 'b', 'c']) {
    const json = { name: id, prompt: 'X' };
    await admin(`/api/admin/prompts/${id}`, { method: 'PUT', json });
    await admin(`/api/admin/groups/${id}`, { method: 'PUT', json });
  }
  const read = async (query: string) => {
    const page = await (await admin(`/api/admin/audit?${query}`)).json();
    return adminApi.audit.response.parse(page);
  };
  const first = await read('kind=prompt&limit=2');
  expect(first).toMatchObject({ total: 3, items: [{ target: 'c' }, { target: 'b' }] });
  const second = await read(`kind=prompt&limit=2&cursor=${first.nextCursor}`);
  expect(second.items).toMatchObject([{ kind: 'prompt', target: 'a', action: 'create' }]);
  expect(await read('kind=group&target=b')).toMatchObject({ total: 1 });
  expect((await admin('/api/admin/audit?kind=nothing')).status).toBe(400);
  expect((await admin('/api/admin/audit?cursor=nothing')).status).toBe(400);
});

test('issues, snapshots and model states are paginated, as every list is', async () => {
  const broken = Object.fromEntries(['a', 'b', 'c'].map((id) => [`apps/${id}.json`, '{']));
  const model = { modelId: 'm', name: 'M', provider: 'demo' };
  await start({ files: { ...broken, 'models/more.json': { ...model, id: 'more' } } });
  const read = async <E extends { path: string; response: z.ZodType }>(list: E, query: string) =>
    list.response.parse(await (await admin(`${list.path}?${query}`)).json()) as z.output<
      E['response']
    >;
  const faults = await read(healthApi.faults, 'limit=2');
  expect(faults).toMatchObject({ total: 3, items: [{}, {}] });
  const rest = await read(healthApi.faults, `limit=2&cursor=${faults.nextCursor}`);
  expect(rest.items).toHaveLength(1);
  expect(rest.nextCursor).toBeUndefined();
  const states = await read(adminModelsApi.states, 'limit=1');
  expect(states).toMatchObject({ total: 2, items: [{ id: 'more' }], nextCursor: '1' });
  expect(await read(backupApi.snapshots, 'limit=1')).toEqual({ items: [], total: 0 });
});
