import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { api } from '@knowhow/shared/api';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest, requestText } from '../../../testing/raw-request.ts';
import { adminCookie, signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type TestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

let server: TestServer;
let cookie: string;
const conversationId = randomUUID();
beforeAll(async () => {
  server = await startTestServer();
  cookie = await adminCookie(server);
  const admin = await signInAdmin(server);
  await takeTurn(admin, { message: 'Hello', conversationId });
  await admin('/api/skill-drafts/meeting-notes/files/a.md', { method: 'PUT', body: 'A.' });
});
afterAll(() => server.close());

const files = Object.entries<Record<string, AnyEndpoint>>(api).flatMap(([area, endpoints]) =>
  Object.entries(endpoints).flatMap(([name, endpoint]) =>
    endpoint.kind === 'file' ? [{ ...endpoint, name: `${area}.${name}` }] : [],
  ),
);
const downloads = files
  .filter(({ isDownload }) => isDownload)
  .map(({ path }): [string] => [
    path
      .replace(/:name|:skill/, 'meeting-notes')
      .replace('*path', 'a.md')
      .replace(/skills$/, 'skills?names=meeting-notes')
      .replace(/refs$/, 'refs?service=git-upload-pack')
      .replace(/:id\/export$/, `${conversationId}/export?format=html`),
  ]);

test('every file is a download, except those that pages show (skills, calls, shared links) and OAuth redirects', () => {
  const shown = files.filter(({ isDownload }) => !isDownload).map(({ name }) => name);
  expect(shown.sort()).toEqual([
    'adminSkillFiles.file',
    'connections.callback',
    'oidc.begin',
    'oidc.callback',
    'oidc.logoutFrame',
    'sharing.file',
    'skillVersions.file',
    'skills.file',
    'tools.file',
  ]);
});

describe.each(downloads)('%s', (path) => {
  const get = async (headers: string[]) => {
    const { ended } = rawRequest(
      server.url,
      requestText(`GET ${path}`, [`Cookie: ${cookie}`, ...headers]),
    );
    return Number(/^HTTP\/1\.1 (\d+) /.exec(await ended)?.[1]);
  };

  test.each(['image', 'iframe', 'object', 'embed', 'script', 'style', 'video', 'audio', 'track'])(
    'rejects a page that loads it as %s',
    async (use) => {
      expect(await get([`Sec-Fetch-Dest: ${use}`, 'Sec-Fetch-Site: same-origin'])).toBe(403);
    },
  );

  test.each(['cross-site', 'same-site'])('rejects a request from a %s page', async (site) => {
    expect(await get(['Sec-Fetch-Dest: document', `Sec-Fetch-Site: ${site}`])).toBe(403);
    expect(await get(['Sec-Fetch-Dest: empty', `Sec-Fetch-Site: ${site}`])).toBe(403);
  });

  test('allows our links, a typed address, fetch, and programs', async () => {
    expect(await get(['Sec-Fetch-Dest: document', 'Sec-Fetch-Site: same-origin'])).toBe(200);
    expect(await get(['Sec-Fetch-Dest: document', 'Sec-Fetch-Site: none'])).toBe(200);
    expect(await get(['Sec-Fetch-Dest: empty', 'Sec-Fetch-Site: same-origin'])).toBe(200);
    expect(await get([])).toBe(200);
  });
});

test.runIf(process.platform === 'linux')(
  'aborted backups leak no descriptor, and an administrator can run three at once',
  async () => {
    const folder = join(server.folder, 'contents/pages');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'big.bin'), randomBytes(40 * 1024 * 1024));
    const open = async () => {
      const names = await readdir('/proc/self/fd');
      const targets = names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => ''));
      return (await Promise.all(targets)).filter((target) => target.startsWith(folder)).length;
    };
    const path = '/api/admin/backup/export';
    const text = requestText(`GET ${path}`, [`Cookie: ${cookie}`]);
    for (let round = 0; round < 3; round += 1) {
      const exports = Array.from({ length: 3 }, () => rawRequest(server.url, text).socket.pause());
      await waitFor(async () => (await open()) === 3);
      const refused = await fetch(`${server.url}${path}`, { headers: { cookie } });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      for (const socket of exports) {
        socket.destroy();
      }
      await waitFor(async () => (await open()) === 0);
    }
    const { status } = await fetch(`${server.url}${path}?only=config`, { headers: { cookie } });
    expect(status).toBe(200);
  },
);
