import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { adminPassword, type Knowhow } from '../start-knowhow.ts';
import type { NodeStand } from './node-stand.ts';

const concurrency = 9;
const maxConvergenceMs = 2000;

/**
 * Writes skill files across all nodes, and one file on two nodes concurrently. Then compares the nodes'
 * folders.
 */
export async function writeSkills(
  { nodes }: NodeStand,
  count: number,
): Promise<{ wrong: string[]; lines: string[] }> {
  const wrong: string[] = [];
  const admins = await Promise.all(nodes.map(signIn));
  const started = performance.now();
  let next = 0;
  const writers = Array.from({ length: concurrency }, async () => {
    for (let file = next++; file < count; file = next++) {
      const path = `/api/admin/skills/meeting-notes/files/notes/${file % 100}.md`;
      const status = await admins[file % admins.length]?.put(path, `Number ${file}.`);
      if (status !== 200 && status !== 201) {
        wrong.push(`file ${file}: ${status}`);
      }
    }
  });
  await Promise.all(writers);
  const writtenMs = performance.now() - started;
  const equalAfter = await waitForConvergence(nodes);
  if (equalAfter > maxConvergenceMs) {
    wrong.push(`equal after ${equalAfter.toFixed(0)} ms`);
  }
  const statuses = await writeConcurrently(admins);
  if (statuses.join() !== '200,412' && statuses.join() !== '201,412') {
    wrong.push(`two administrators at once: ${statuses.join(' and ')}`);
  }
  const lines = [
    `${count} in ${(writtenMs / 1000).toFixed(1)} s, equal ${equalAfter.toFixed(0)} ms after the last`,
    `two administrators at once: ${statuses.join(' and ')}`,
  ];
  return { wrong, lines };
}

interface Admin {
  get(path: string): Promise<Response>;
  put(path: string, body: string, headers?: Record<string, string>): Promise<number>;
}

async function signIn({ url }: Knowhow): Promise<Admin> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const headers = { cookie, origin: url };
  return {
    get: (path) => fetch(url + path, { headers }),
    put: async (path, body, more = {}) => {
      const sent = { ...headers, 'content-type': 'text/plain', ...more };
      const { status } = await fetch(url + path, { method: 'PUT', headers: sent, body });
      return status;
    },
  };
}

/** The statuses of two concurrent writes on two nodes, based on the same state (optimistic locking). */
async function writeConcurrently([one, other]: readonly Admin[]): Promise<number[]> {
  const skill = '/api/admin/skills/meeting-notes';
  const seen = (await (await one?.get(skill))?.json()) as { checksum: string } | undefined;
  const headers = { 'if-match': `"${seen?.checksum}"` };
  const change = (admin: Admin | undefined, text: string) =>
    admin?.put(`${skill}/files/notes/both.md`, text, headers) ?? 0;
  return (await Promise.all([change(one, 'One.'), change(other, 'Other.')])).sort();
}

async function waitForConvergence(nodes: readonly Knowhow[]): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < 30_000) {
    const sums = await Promise.all(nodes.map(({ contentsDir }) => checksum(contentsDir)));
    if (new Set(sums).size === 1) {
      break;
    }
    await wait(20);
  }
  return performance.now() - started;
}

/** Checksum of all files in a folder and their paths. A file that is being changed gets a random checksum. */
async function checksum(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths) {
    const content = await readFile(path).catch(() => String(Math.random()));
    hash.update(path.slice(folder.length)).update('\0').update(content);
  }
  return hash.digest('hex');
}
