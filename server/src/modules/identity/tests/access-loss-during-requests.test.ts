import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { problemSchema } from '@knowhow/shared/problem';
import { expect, onTestFinished, test } from 'vitest';
import { exportBackup, readFileTree } from '../../../testing/backup-calls.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { writeFiles } from '../../../testing/write-files.ts';

interface Started {
  server: TestServer;
  admin: Visitor;
  /** Another administrator. */
  boss: SignedIn;
  /** Disables that administrator. */
  disable: () => Promise<unknown>;
}

async function start(): Promise<Started> {
  const server = await startTestServer({ files: rightsFiles });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const boss = await signInNew(server, admin, { username: 'boss', groups: ['admins'] });
  const path = `/api/admin/users/${boss.id}`;
  return {
    server,
    admin,
    boss,
    disable: () => admin(path, { method: 'PUT', json: { disabled: true } }),
  };
}

function open(
  { server, boss }: Started,
  path: string,
  { method, headers }: { method: string; headers: Record<string, string> },
): ClientRequest {
  const url = `${server.url}/api/admin/${path}`;
  return request(url, { method, headers: { ...headers, cookie: boss.cookie } });
}

const bodies: [string, string, string, string, (admin: Visitor) => Promise<string | Uint8Array>][] =
  [
    [
      'a configuration',
      'PUT',
      'prompts/late',
      'application/json',
      async () => '{"id":"late","name":"Late","prompt":"x"}',
    ],
    [
      'a skill',
      'POST',
      'skills/import',
      'text/markdown',
      async () => skillFile('late', 'Comes late.'),
    ],
    [
      'a backup',
      'POST',
      'backup/import',
      'application/zip',
      (admin) => exportBackup(admin, '?only=apps'),
    ],
  ];

test.each(bodies)(
  'a client that sends %s and loses access meanwhile changes nothing',
  async (_, method, path, type, makeBody) => {
    const started = await start();
    const body = Buffer.from(await makeBody(started.admin));
    await started.admin('/api/admin/apps/chat', {
      method: 'PUT',
      json: { id: 'chat', name: 'New' },
    });
    const contents = join(started.server.folder, 'contents');
    const before = await readFileTree(contents);
    const headers = {
      'content-type': type,
      'content-length': String(body.length),
      expect: '100-continue',
    };
    const sending = open(started, path, { method, headers });
    sending.flushHeaders();
    await once(sending, 'continue');
    sending.write(body.subarray(0, 10));
    await started.disable();
    sending.end(body.subarray(10));
    const [answer]: IncomingMessage[] = await once(sending, 'response');
    expect(answer?.statusCode).toBe(401);
    const problem = problemSchema.parse(JSON.parse(await text(answer as IncomingMessage)));
    expect(problem.code).toBe('not-signed-in');
    expect(await readFileTree(contents)).toEqual(before);
  },
);

test('an export is cut off when its administrator loses access meanwhile', async () => {
  const started = await start();
  const noise = randomBytes(32 * 1024 * 1024);
  await writeFiles(join(started.server.folder, 'contents'), { 'noise/large.bin': noise });
  const asked = once(started.server.server, 'request');
  const asking = open(started, 'backup/export', { method: 'GET', headers: {} });
  asking.end();
  const [response]: IncomingMessage[] = await once(asking, 'response');
  const [, sent]: [IncomingMessage, ServerResponse] = (await asked) as never;
  // The server's own listeners reach Node's limit for a warning.
  sent.setMaxListeners(20);
  const closed = once(sent, 'close');
  await started.disable();
  await closed;
  expect(sent.writableFinished).toBe(false);
  await expect(text(response as IncomingMessage)).rejects.toThrow('aborted');
});
