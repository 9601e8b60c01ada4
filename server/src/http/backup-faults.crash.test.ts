import { once } from 'node:events';
import { cp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportBackup, sendBackup, treeOf } from '../testing/backup-calls.ts';
import { bundledScript } from '../testing/bundled-script.ts';
import type { Fault, FaultReport } from '../testing/inject-faults.ts';
import { problemOf } from '../testing/parse-answer.ts';
import { type Product, startProduct } from '../testing/start-product.ts';
import { defaultFiles } from '../testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';

let script: string;
let faults: string;

beforeAll(async () => {
  script = await bundledScript('main');
  faults = await bundledScript('inject-faults');
}, 60_000);

const codes = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT'];

async function tell(product: Product, message: Fault | 'report'): Promise<FaultReport> {
  const heard = once(product.process, 'message');
  product.process.send(message);
  return (await heard)[0];
}

describe.each([
  ['that fails once', false],
  ['that fails from then on', true],
])('on a disk %s, at each step of a restore', (name, stays) => {
  test('it is refused, with the old state as it was, or done', async () => {
    const folder = await temporaryFolder();
    const contents = join(folder, 'contents');
    await writeFiles(contents, defaultFiles);
    const disk = (await stat('/dev/shm').catch(() => undefined)) ? '/dev/shm' : folder;
    const elsewhere = join(disk, `knowhow-faults-${process.pid}-${name.replaceAll(' ', '-')}`);
    // Nothing can be renamed to another disk.
    await rename(join(contents, 'skills'), join(folder, 'skills'));
    await cp(join(folder, 'skills'), elsewhere, { recursive: true });
    await symlink(elsewhere, join(contents, 'skills'));
    const state = async () => {
      const tree = { ...(await treeOf(contents)), ...(await treeOf(elsewhere)) };
      return Object.fromEntries(Object.entries(tree).filter(([path]) => path[0] !== '.'));
    };
    const product = await startProduct(script, folder, { NODE_OPTIONS: `--import=${faults}` });
    try {
      const admin = await product.admin();
      const backup = await exportBackup(admin, '?only=apps,skills,other');
      await writeFiles(contents, {
        'apps/chat.json': { id: 'chat', name: 'Another' },
        'pages/mine.md': 'Mine',
        'skills/mine/SKILL.md': 'Mine',
      });
      const mine = await exportBackup(admin, '?only=apps,skills,other');
      const before = await state();
      let undone = 0;
      for (let at = 1; ; at += stays ? 4 : 2) {
        await tell(product, { code: codes[at % codes.length] ?? '', at, stays });
        const response = await sendBackup(admin, backup);
        const { failed } = await tell(product, 'report');
        const step = `step ${at}: ${failed}; ${response.status}`;
        if (response.ok) {
          expect(Object.keys(await treeOf(contents)), step).not.toContain('pages/mine.md');
          if (failed.length === 0) {
            break;
          }
          expect((await sendBackup(admin, mine)).status, step).toBe(200);
        } else {
          expect((await problemOf(response)).code, step).toBe('not-writable');
          // What a dead disk did not let be undone is undone before anything else is restored.
          await sendBackup(admin, Buffer.from('no backup'));
          undone += 1;
        }
        expect(await state(), step).toEqual(before);
      }
      expect(undone).toBeGreaterThan(5);
      const names = [...(await readdir(contents)), ...(await readdir(elsewhere))];
      expect(names.filter((each) => each[0] === '.')).toEqual([]);
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  }, 120_000);
});
