import { randomBytes } from 'node:crypto';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneSkills } from '../../../testing/git-client.ts';
import { rawRequest, requestText } from '../../../testing/raw-request.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  // More than the buffers of a connection.
  for (const name of ['a.bin', 'b.bin', 'c.bin']) {
    const path = join(server.folder, 'contents/skills/meeting-notes', name);
    await writeFile(path, randomBytes(5 * 2 ** 20));
  }
});
afterAll(() => server.close());

const refs = '/git/skills.git/info/refs';
const pack = '/git/skills.git/git-upload-pack';
const type = 'application/x-git-upload-pack-request';
const unknown = '1'.repeat(40);

const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
const send = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  server.visitor()(pack, { method: 'POST', body, headers: { 'Content-Type': type, ...headers } });
const v2 = { 'Git-Protocol': 'version=2' };
const zip = { 'Content-Encoding': 'gzip' };
const fetchOf = (wants: string) => `${line('command=fetch')}0001${wants}${line('done\n')}0000`;

/** Whether any git reads a repository of this server. */
async function isServing(): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(
    pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')),
  );
  return folders.some((folder) => folder.startsWith(join(server.folder, 'data/git-served')));
}

test.each([
  ['without a service', refs, 400, 'smart HTTP'],
  ['for a service that does not exist', `${refs}?service=git-upload-archive`, 400, 'smart HTTP'],
  ['for a service with an option', `${refs}?service=--upload-pack=x`, 400, 'smart HTTP'],
  ['with two services', `${refs}?service=git-upload-pack&service=x`, 400, 'service'],
  ['for pushes', `${refs}?service=git-receive-pack`, 403, 'read-only'],
  ['for a file of the repository', '/git/skills.git/HEAD', 404, 'nothing at'],
  ['for another path', '/git/..%2f..%2fetc/info/refs?service=git-upload-pack', 404, 'nothing at'],
  ['for another repository', '/git/other.git/info/refs?service=git-upload-pack', 404, 'nothing at'],
])('a request %s is refused', async (_, path, status, text) => {
  const answer = await server.visitor()(path);

  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await answer.text()).toContain(text);
});

test.each<[string, string | Uint8Array, Record<string, string>, number]>([
  ['has another type', '0000', { 'Content-Type': 'text/plain' }, 415],
  ['is a form', '0000', { 'Content-Type': 'multipart/form-data; boundary=b' }, 415],
  ['is JSON', '{"a":1}', { 'Content-Type': 'application/json' }, 400],
  ['is compressed in another way', '0000', { 'Content-Encoding': 'br' }, 415],
  ['is compressed twice', gzipSync(gzipSync('0000')), { 'Content-Encoding': 'gzip, gzip' }, 415],
  ['claims to be compressed', '0000', zip, 400],
  ['is compressed and cut off', gzipSync('0000').subarray(0, 12), zip, 400],
  ['is larger than 1 MiB', 'x'.repeat(2 ** 20 + 1), {}, 413],
  ['is a gzip bomb', gzipSync(Buffer.alloc(200 * 2 ** 20)), zip, 413],
])('a body that %s is refused', async (_, body, headers, status) => {
  expect((await send(body, headers)).status).toBe(status);
});

test.each<[string, string | Uint8Array, Record<string, string>]>([
  ['is no packet', 'x', {}],
  ['has a packet of a wrong length', 'ffff', {}],
  ['has bytes instead of packets', randomBytes(1000), v2],
  ['has an unknown command', `${line('command=rm')}0000`, v2],
  ['wants an object that does not exist', `${line(`want ${unknown}\n`)}0000${line('done\n')}`, {}],
  ['wants it with version 2', fetchOf(line(`want ${unknown}\n`)), v2],
  ['wants 20,000 objects', fetchOf(line(`want ${unknown}\n`).repeat(20_000)), v2],
  ['wants no object id', fetchOf(line('want --upload-pack=touch\n')), v2],
  ['wants a ref outside', fetchOf(line('want-ref ../../HEAD\n')), v2],
])('a body that %s gets no pack', async (_, body, headers) => {
  const answer = await send(body, headers);

  expect([200, 502]).toContain(answer.status);
  expect(Buffer.from(await answer.arrayBuffer()).includes('PACK')).toBe(false);
});

test('a compressed request gets its pack', async () => {
  const { commit } = await cloneSkills(`${server.url}/git/skills.git`);
  const body = gzipSync(fetchOf(line(`want ${await commit()}\n`)));

  const answer = await send(body, { ...v2, ...zip });
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer()).includes('PACK')).toBe(true);
});

test.each(['version=2; touch x', 'version=99', '--help', 'version=2\tx', 'a'.repeat(5000)])(
  'a client that asks for the protocol %s gets the default one',
  async (protocol) => {
    const answer = await server.visitor()(`${refs}?service=git-upload-pack`, {
      headers: { 'Git-Protocol': protocol },
    });
    expect(await answer.text()).toMatch(/^001e# service=git-upload-pack\n0000/);
  },
);

test('a push is refused before its body is read', async () => {
  const path = '/git/skills.git/git-receive-pack';
  const answer = await server.visitor()(path, { method: 'POST', body: 'x'.repeat(1000) });

  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain('read-only');
});

test('pages of other sites have no access', async () => {
  const answer = await server.visitor()(`${refs}?service=git-upload-pack`, {
    headers: { Origin: 'https://evil.example' },
  });
  expect(answer.status).toBe(403);
});

test('a client that disconnects ends git, and others are served meanwhile', async () => {
  const { commit } = await cloneSkills(`${server.url}/git/skills.git`);
  const body = fetchOf(line(`want ${await commit()}\n`));
  const headers = [
    `Content-Type: ${type}`,
    'Git-Protocol: version=2',
    `Content-Length: ${body.length}`,
  ];
  const { socket } = rawRequest(server.url, requestText(`POST ${pack}`, headers) + body);
  socket.pause();
  await waitFor(isServing);

  const asked = performance.now();
  expect((await server.visitor()('/api/health')).status).toBe(200);
  expect(performance.now() - asked).toBeLessThan(300);
  socket.destroy();

  await waitFor(async () => !(await isServing()));
});
