import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { exportBackup, importBackup, readFileTree } from '../../../testing/backup-calls.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { otherDisk } from '../../../testing/test-folders.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) {
    await each();
  }
});

/** Bind-mounts a folder onto another, so that it has its own mount. */
async function mount(source: string, target: string): Promise<boolean> {
  await mkdir(target, { recursive: true });
  const isMounted = shell('mount --bind "$0" "$1"', source, target);
  if (isMounted) {
    undo.push(() => shell('umount --lazy "$0"', target));
  }
  return isMounted;
}

function shell(command: string, ...args: string[]): boolean {
  return spawnSync('sh', ['-c', command, ...args]).status === 0;
}

const probe = await mkdtemp(join(tmpdir(), 'knowhow-mount-'));
const canMount = await mount(probe, probe);
await Promise.all(undo.splice(0).map((each) => each()));
await rmdir(probe);

/** On another disk if there is one, otherwise on the same. */
async function foreignFolder(): Promise<string> {
  const folder = await mkdtemp(join(otherDisk(), 'knowhow-test-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test.skipIf(!canMount).each<[string, string[], () => Promise<string>]>([
  ['contents/ itself', ['contents'], foreignFolder],
  ['the data folder', ['data'], foreignFolder],
  [
    'every folder in contents/',
    ['apps', 'config', 'skills', 'pages'].map((name) => `contents/${name}`),
    foreignFolder,
  ],
  ['folders on the same disk', ['contents', 'contents/skills', 'contents/pages'], temporaryFolder],
])(
  'a restore writes to the right location, and can be undone, when mount points are %s',
  async (_, paths, newDisk) => {
    const folder = await temporaryFolder();
    for (const path of paths) {
      expect(await mount(await newDisk(), join(folder, path))).toBe(true);
    }
    const contents = join(folder, 'contents');
    const fresh = await startTestServer({ files: { 'pages/deep/page.md': 'Page' } });
    try {
      const zip = await exportBackup(await signInAdmin(fresh));
      await writeFiles(contents, {
        'config/groups.json': {
          groups: { admins: { id: 'admins', name: 'A', permissions: { adminAccess: true } } },
        },
        'apps/old.json': { id: 'old', name: 'Old' },
        'pages/old.md': 'Old',
        'skills/old/SKILL.md': 'Old',
      });
      const again = await startTestServer({ folder, files: {} });
      try {
        const admin = await signInAdmin(again);
        const before = await readFileTree(contents);

        const { snapshot } = await importBackup(admin, zip);
        expect(await readFileTree(contents)).toEqual(
          await readFileTree(join(fresh.folder, 'contents')),
        );

        const path = `/api/admin/backup/snapshots/${snapshot}/restore`;
        expect((await admin(path, { method: 'POST' })).status).toBe(200);
        expect(await readFileTree(contents)).toEqual(before);
      } finally {
        await again.close();
      }
    } finally {
      await fresh.close();
    }
  },
);
