import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Cluster } from '../../platform/cluster/cluster.ts';
import { createLocalCluster } from '../../platform/cluster/local-cluster.ts';
import { createLog } from '../../platform/lib/log.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../testing/write-files.ts';
import { backupLease, scheduleBackups } from './schedule-backups.ts';

const everySecond = '* * * * * *';

interface Schedule {
  cluster?: Cluster;
  cron?: string;
  directory?: string;
  makeBackup?: () => Promise<Readable>;
}

async function schedule(options: Schedule = {}) {
  const directory = options.directory ?? join(await temporaryFolder(), 'backups');
  const lines: string[] = [];
  const scheduled = await scheduleBackups({
    cluster: options.cluster ?? createLocalCluster(),
    directory,
    cron: options.cron ?? everySecond,
    keep: 3,
    makeBackup: options.makeBackup ?? (async () => Readable.from([Buffer.from('a whole zip')])),
    log: createLog('info', { write: (line) => void lines.push(line) }),
  });
  onTestFinished(() => scheduled.stop());
  return { directory, scheduled, lines };
}

test('writes a scheduled backup readable only by its owner, and keeps the newest', async () => {
  const directory = await temporaryFolder();
  const old = ['20200101-000000', '20200102-000000', '20200103-000000', '20200104-000000'];
  await writeFiles(directory, {
    ...Object.fromEntries(old.map((time) => [`knowhow-${time}.zip`, 'old'])),
    'notes.zip': 'of another program',
    'knowhow-20200105-000000.zip.0b8f1c9e-2f3d-4c1a-9a57-0d4b7a5e6c21.tmp': 'unfinished',
  });
  const { scheduled } = await schedule({ directory });
  expect(scheduled.state().last).toMatchObject({ file: 'knowhow-20200104-000000.zip', bytes: 3 });
  await waitFor(async () => (await readdir(directory)).length === 4);
  await scheduled.stop();
  const names = (await readdir(directory)).sort();
  const { last } = scheduled.state();
  expect(names).toContain('notes.zip');
  expect(names).toContain(last?.file);
  expect(last).toMatchObject({
    file: expect.stringMatching(/^knowhow-\d{8}-\d{6}\.zip$/),
    bytes: 11,
  });
  const path = join(directory, last?.file ?? '');
  expect(await readFile(path, 'utf8')).toBe('a whole zip');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('keeps a backup that was made after the clock was set back, even if others have later names', async () => {
  const directory = await temporaryFolder();
  const later = ['29990101-000000', '29990102-000000', '29990103-000000'];
  await writeFiles(
    directory,
    Object.fromEntries(later.map((time) => [`knowhow-${time}.zip`, 'later'])),
  );
  const { scheduled } = await schedule({ directory });
  await waitFor(() => scheduled.state().last?.bytes === 11);
  await scheduled.stop();
  const names = await readdir(directory);
  expect(names).toContain(scheduled.state().last?.file);
  expect(names).toHaveLength(3);
});

test.each(['before it is written', 'while it is written'])(
  'aborts a backup whose lease is lost %s, and leaves no file',
  async (when) => {
    const cluster = createLocalCluster();
    let hasStarted = false;
    const { directory, scheduled } = await schedule({
      cluster,
      makeBackup: async () => {
        if (when === 'before it is written') {
          cluster.endLease(backupLease);
        }
        const archive = new Readable({
          read: () => {
            hasStarted = true;
          },
        });
        archive.push('half');
        return archive;
      },
    });
    await waitFor(() => hasStarted || scheduled.state().error !== undefined);
    cluster.endLease(backupLease);
    await waitFor(() => scheduled.state().error?.includes('Another node') === true);
    await scheduled.stop();
    expect(await readdir(directory)).toEqual([]);
  },
);

test('reports and logs a failure until the next success, and leaves no partial file', async () => {
  let isBroken = true;
  const { directory, scheduled, lines } = await schedule({
    makeBackup: async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('half');
          if (isBroken) {
            throw new Error('The disk is gone.');
          }
        })(),
      ),
  });
  await waitFor(() => scheduled.state().error !== undefined);
  expect(scheduled.state().error).toBe('The disk is gone.');
  expect(await readdir(directory)).toEqual([]);
  expect(lines.join('')).toMatch(/"level":50.*The disk is gone/);
  isBroken = false;
  await waitFor(() => scheduled.state().error === undefined);
  expect(scheduled.state().last?.bytes).toBe(4);
});

test('reports immediately if the folder cannot be created', async () => {
  const folder = await temporaryFolder();
  await writeFiles(folder, { file: '' });
  const { scheduled } = await schedule({ directory: join(folder, 'file/in'), cron: '0 0 1 1 *' });
  expect(scheduled.state()).toMatchObject({
    cron: '0 0 1 1 *',
    next: expect.stringMatching(/-01-01T|-12-31T/),
    error: expect.stringContaining('cannot be written'),
  });
});

test('aborts a running backup when stopped', async () => {
  let hasStarted = false;
  const { directory, scheduled } = await schedule({
    makeBackup: async () => {
      hasStarted = true;
      return new Readable({ read: () => undefined });
    },
  });
  await waitFor(() => hasStarted);
  await scheduled.stop();
  expect(await readdir(directory)).toEqual([]);
});
