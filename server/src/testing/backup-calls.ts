import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backupApi } from '@knowhow/shared/config/backup';
import { parseAnswer } from './parse-answer.ts';
import { type RawEntry, rawZip } from './raw-zip.ts';
import { readTree } from './read-tree.ts';
import type { Visitor } from './start-test-server.ts';

/** A backup, as it is downloaded. */
export async function exportBackup(admin: Visitor, query = ''): Promise<Buffer> {
  const response = await admin(`/api/admin/backup/export${query}`);
  if (!response.ok) {
    throw new Error(await response.text());
  }
  return Buffer.from(await response.arrayBuffer());
}

export function sendBackup(admin: Visitor, zip: Uint8Array, query = ''): Promise<Response> {
  return admin(`/api/admin/backup/import${query}`, { method: 'POST', body: zip });
}

/** What a restore has done or, with `?dryRun=true`, would do. */
export async function importBackup(admin: Visitor, zip: Uint8Array, query = '') {
  const response = await sendBackup(admin, zip, query);
  if (!response.ok) {
    throw new Error(await response.text());
  }
  return parseAnswer(backupApi.import.response, response);
}

/** A zip with files by path: text, or a value to be written as JSON. */
export function zipOf(files: Record<string, unknown>, more: RawEntry[] = []): Buffer {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  }));
  return rawZip([...entries, ...more]);
}

/** Every file below a folder: what it holds, and whether it is executable. */
export async function treeOf(folder: string): Promise<Record<string, string>> {
  const files = Object.entries(await readTree(folder)).filter(([path]) => !path.endsWith('/'));
  const tree = files.sort().map(async ([path, content]): Promise<[string, string]> => {
    const { mode } = await stat(join(folder, path));
    return [path, mode & 0o111 ? `executable: ${content}` : content];
  });
  return Object.fromEntries(await Promise.all(tree));
}

/** A zip with files by path, and a manifest that says so or, with `lie`, something else. */
export function manifestZip(
  files: Record<string, unknown>,
  lie: (manifest: TestManifest) => unknown = (manifest) => manifest,
  more: RawEntry[] = [],
): Buffer {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  }));
  const manifest = {
    format: 'knowhow-backup',
    version: 1,
    createdAt: '2026-08-01T10:00:00.000Z',
    app: '0.1.0',
    files: entries.map(({ name, content }) => ({
      path: name,
      size: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
  };
  const content = JSON.stringify(lie(manifest));
  return rawZip([...entries, ...more, { name: 'manifest.json', content }]);
}

interface TestManifest {
  files: { path: string; size: number; sha256: string }[];
}
