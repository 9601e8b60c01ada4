import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/write-files.ts';
import { exportBackup } from './export-backup.ts';

test('an archive that breaks off before it is read gives its reader the error', async () => {
  const diskPath = await temporaryFolder();
  // A folder opens as a file does, and fails at the first byte.
  const files = [
    { path: 'contents/a.bin', diskPath, size: 1, executable: false, changedAt: new Date() },
  ];
  const archive = exportBackup({ files, leftOut: [], parts: [], database: undefined, app: '1' });
  await new Promise((resolve) => archive.once('close', resolve));
  await expect(text(archive)).rejects.toThrow('EISDIR');
});
