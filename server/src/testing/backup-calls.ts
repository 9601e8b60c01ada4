import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backupApi } from '@knowhow/shared/config/backup';
import { parseAnswer } from './parse-answer.ts';
import { type RawEntry, rawZip } from './raw-zip.ts';
import { readTree } from './read-tree.ts';
import type { Visitor } from './start-test-server.ts';

/** Downloads a backup. */
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

/** Restores a backup, or previews it with `?dryRun=true`. */
export async function importBackup(admin: Visitor, zip: Uint8Array, query = '') {
  const response = await sendBackup(admin, zip, query);
  if (!response.ok) {
    throw new Error(await response.text());
  }
  return parseAnswer(backupApi.import.response, response);
}

/** A zip of files by path; non-text values are written as JSON. */
export function createZip(files: Record<string, unknown>, more: RawEntry[] = []): Buffer {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  }));
  return rawZip([...entries, ...more]);
}

/** All files below a folder, with content and executable bit. */
export async function readFileTree(folder: string): Promise<Record<string, string>> {
  const files = Object.entries(await readTree(folder)).filter(([path]) => !path.endsWith('/'));
  const tree = files.sort().map(async ([path, content]): Promise<[string, string]> => {
    const { mode } = await stat(join(folder, path));
    return [path, mode & 0o111 ? `executable: ${content}` : content];
  });
  return Object.fromEntries(await Promise.all(tree));
}

/** A zip of files by path with a manifest, optionally falsified by `lie`. */
export function manifestZip(
  files: Record<string, unknown>,
  falsify: (manifest: TestManifest) => unknown = (manifest) => manifest,
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
  const content = JSON.stringify(falsify(manifest));
  return rawZip([...entries, ...more, { name: 'manifest.json', content }]);
}

interface TestManifest {
  files: { path: string; size: number; sha256: string }[];
}
