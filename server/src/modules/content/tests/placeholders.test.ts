import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@knowhow/shared/api';
import { afterEach, expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { cpuTime } from '../../../testing/cpu-time.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import type { Files } from '../../../testing/write-files.ts';
import { allowVariables } from '../allowed-variables.ts';
import { fillPlaceholders } from '../fill-placeholders.ts';

let server: TestServer;
afterEach(() => server.close());

const environment = {
  PGPASSWORD: 'LEAKME-1',
  GITHUB_PAT: 'LEAKME-2',
  INTERNAL_HOST: 'LEAKME-3',
  COMPANY_NAME: 'Example Ltd',
};

const greeting = '${PGPASSWORD} ${GITHUB_PAT:-none} ${INTERNAL_HOST} of ${COMPANY_NAME}';
const files = {
  'config/platform.json': { placeholders: ['COMPANY_NAME', 'PGPASSWORD'] },
  'apps/chat.json': { id: 'chat', name: 'Chat', greeting },
};

async function start(more: Files = {}) {
  server = await startTestServer({ environment, files: { ...files, ...more } });
  const admin = await signInAdmin(server);
  const faults = async () =>
    api.health.faults.response.parse(await (await admin('/api/admin/faults')).json()).items;
  const greetingNow = async () => {
    const app = await (await server.visitor()('/api/apps/chat')).json();
    return api.apps.get.response.parse(app).greeting.title;
  };
  return { admin, faults, greetingNow };
}

test('a plain user sees only listed environment variables and no secrets; an admin sees why', async () => {
  const { faults, greetingNow } = await start();
  expect(await greetingNow()).toBe('${PGPASSWORD} none ${INTERNAL_HOST} of Example Ltd');
  const app = { path: 'contents/apps/chat.json', field: 'greeting', isUsed: true };
  expect(await faults()).toEqual([
    { ...app, message: expect.stringContaining('PGPASSWORD is called like a secret') },
    { ...app, message: expect.stringContaining('GITHUB_PAT is called like a secret') },
    { ...app, message: expect.stringContaining('add "INTERNAL_HOST" to "placeholders"') },
    {
      path: 'contents/config/platform.json',
      field: 'placeholders.1',
      isUsed: true,
      message: expect.stringContaining('PGPASSWORD is called like a secret'),
    },
  ]);
  const ready = await (await server.visitor()('/api/ready')).json();
  expect(ready).toMatchObject({ faults: 4 });
});

test('an admin of the pages cannot read others by writing an app', async () => {
  const { admin } = await start();
  const json = { name: '${INTERNAL_HOST}', system: '${PGPASSWORD}' };
  const put = await admin('/api/admin/apps/mine', { method: 'PUT', json });
  expect(put.status).toBe(200);
  const seen = [await put.text(), await (await admin('/api/apps/mine')).text()];
  expect(seen.join()).not.toContain('LEAKME');
});

test('a restore on the pages does not widen the list, and its plan reads nothing through it', async () => {
  const wide = {
    'config/platform.json': { placeholders: ['COMPANY_NAME', 'INTERNAL_HOST'] },
    'apps/chat.json': { id: 'chat', name: 'Chat', greeting, preferredModel: '${INTERNAL_HOST}' },
  };
  await start(wide);
  const zip = await exportBackup(await signInAdmin(server));
  await server.close();
  const { admin, greetingNow } = await start();

  const { plan } = await importBackup(admin, zip, '?dryRun=true');
  expect(plan.refused).toEqual([
    {
      path: 'contents/config/platform.json',
      code: 'placeholders',
      message: expect.stringContaining('read more of the environment: INTERNAL_HOST.'),
    },
  ]);
  expect(JSON.stringify(plan)).not.toContain('LEAKME');
  await importBackup(admin, zip, '?only=apps');
  expect(await greetingNow()).not.toContain('LEAKME');
});

test('a list changed on disk applies immediately, and stays when the file becomes invalid', async () => {
  const { greetingNow } = await start();
  const path = join(server.folder, 'contents/config/platform.json');
  await writeFile(path, JSON.stringify({ placeholders: ['INTERNAL_HOST'] }));
  await expect.poll(greetingNow).toContain('LEAKME-3 of ${COMPANY_NAME}');
  await writeFile(path, '{');
  const app = join(server.folder, 'contents/apps/chat.json');
  await writeFile(app, JSON.stringify({ id: 'chat', name: 'C', greeting: 'At ${INTERNAL_HOST}' }));
  await expect.poll(greetingNow).toBe('At LEAKME-3');
});

test('a text of unclosed placeholders is parsed in linear time', async () => {
  server = await startTestServer();
  const took = cpuTime(() => fillPlaceholders('${A:-'.repeat(400_000), allowVariables({})([])));
  expect(took).toBeLessThan(1000);
});
