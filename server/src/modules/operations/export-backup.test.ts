import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { tables } from '../../tables.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { exportBackup } from './export-backup.ts';

test('reports the error to the reader of an archive that failed before it was read', async () => {
  const diskPath = await temporaryFolder();
  // A folder can be opened like a file, but reading it fails.
  const files = [
    { path: 'contents/a.bin', diskPath, size: 1, executable: false, changedAt: new Date() },
  ];
  const nothing = { leftOut: [], parts: [], database: undefined, tables };
  const archive = exportBackup({ files, ...nothing, app: '1' });
  await new Promise((resolve) => archive.once('close', resolve));
  await expect(text(archive)).rejects.toThrow('EISDIR');
});
