import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from './app.ts';
import { parseEnvironment } from './env.ts';
import { createPasswords } from './modules/identity/passwords.ts';
import { createLog } from './platform/lib/log.ts';
import { scriptedModel } from './testing/scripted-model.ts';
import { adminPassword, createVisitor } from './testing/start-test-server.ts';
import { temporaryFolder } from './testing/write-files.ts';

test('rejects sign-ins and is not ready until the administrator has a password', async () => {
  const folder = await temporaryFolder();
  const app = await createApp({
    environment: parseEnvironment({
      CONTENTS_DIR: join(folder, 'contents'),
      DATA_DIR: join(folder, 'data'),
      ADMIN_PASSWORD: adminPassword,
    }),
    log: createLog('silent'),
    openModel: () => scriptedModel().ask,
    passwords: createPasswords(4),
    findModels: async () => [],
  });
  await app.ready;
  const server = app.http.listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.close();
    await app.close();
  });
  await once(server, 'listening');
  const visitor = createVisitor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const signIn = () =>
    visitor('/api/auth/login', { json: { username: 'admin', password: adminPassword } });

  expect((await visitor('/api/ready')).status).toBe(503);
  const early = await signIn();
  expect(early.status).toBe(503);
  expect(early.headers.get('retry-after')).toBe('2');

  await app.makeAdmin();
  expect((await visitor('/api/ready')).status).toBe(200);
  expect((await signIn()).status).toBe(200);
});
