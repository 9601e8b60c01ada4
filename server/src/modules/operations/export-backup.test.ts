import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/write-files.ts';
import { exportBackup } from './export-backup.ts';

test('reports the error to the reader of an archive that failed before it was read', async () => {
  const diskPath = await temporaryFolder();
  // A folder can be opened like a file, but reading it fails.
  const files = [
    { path: 'contents/a.bin', diskPath, size: 1, executable: false, changedAt: new Date() },
  ];
  const archive = exportBackup({ files, leftOut: [], parts: [], database: undefined, app: '1' });
  await new Promise((resolve) => archive.once('close', resolve));
  await expect(text(archive)).rejects.toThrow('EISDIR');
});
