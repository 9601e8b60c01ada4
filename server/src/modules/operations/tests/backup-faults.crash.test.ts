import { once } from 'node:events';
import { cp, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exportBackup, readFileTree, sendBackup } from '../../../testing/backup-calls.ts';
import { bundledScript } from '../../../testing/bundled-script.ts';
import type { Fault, FaultReport } from '../../../testing/inject-faults.ts';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { type Product, startProduct } from '../../../testing/start-product.ts';
import { defaultFiles } from '../../../testing/start-test-server.ts';
import { otherDisk } from '../../../testing/test-folders.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

let script: string;
let faults: string;

beforeAll(async () => {
  script = await bundledScript('main');
  faults = await bundledScript('inject-faults');
}, 60_000);

const codes = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT'];

async function send(product: Product, message: Fault | 'report'): Promise<FaultReport> {
  const heard = once(product.process, 'message');
  product.process.send(message);
  return (await heard)[0];
}

/** Installations that fail in parallel, since most of the time is waiting for the disk. */
const lanes = 2;

describe.each([
  ['that fails once', false],
  ['that keeps failing', true],
])('on a disk %s, at each step of a restore', (_, stays) => {
  test('the restore is rejected with the old state intact, or it completes', async () => {
    const every = stays ? 4 : 2;
    const undone = await Promise.all(
      Array.from({ length: lanes }, (_, lane) =>
        restoreAndFail({ first: 1 + lane * every, every: lanes * every, stays }),
      ),
    );
    expect(undone.reduce((sum, each) => sum + each)).toBeGreaterThan(5);
  }, 120_000);
});

interface Steps {
  /** The first step that fails, starting at 1. */
  first: number;
  every: number;
  stays: boolean;
}

/** Restores the same backup repeatedly; returns how often it was rejected. */
async function restoreAndFail({ first, every, stays }: Steps): Promise<number> {
  const folder = await temporaryFolder();
  const contents = join(folder, 'contents');
  await writeFiles(contents, defaultFiles);
  const elsewhere = await moveToAnotherDisk(join(contents, 'skills'), folder);
  const state = async () => {
    const tree = { ...(await readFileTree(contents)), ...(await readFileTree(elsewhere)) };
    return Object.fromEntries(Object.entries(tree).filter(([path]) => path[0] !== '.'));
  };
  const product = await startProduct(script, folder, { NODE_OPTIONS: `--import=${faults}` });
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
  for (let at = first; ; at += every) {
    await send(product, { code: codes[at % codes.length] ?? '', at, stays });
    const response = await sendBackup(admin, backup);
    const { failed } = await send(product, 'report');
    const step = `step ${at}: ${failed}; ${response.status}`;
    if (response.ok) {
      expect(Object.keys(await readFileTree(contents)), step).not.toContain('pages/mine.md');
      if (failed.length === 0) {
        break;
      }
      expect((await sendBackup(admin, mine)).status, step).toBe(200);
    } else {
      expect((await parseProblem(response)).code, step).toBe('not-writable');
      // A rollback that the dead disk prevented happens before anything else is restored.
      await sendBackup(admin, Buffer.from('no backup'));
      undone += 1;
    }
    expect(await state(), step).toEqual(before);
  }
  const names = [...(await readdir(contents)), ...(await readdir(elsewhere))];
  expect(names.filter((each) => each[0] === '.')).toEqual([]);
  return undone;
}

/** Replaces it by a link, as nothing can be renamed to another disk. Returns its location. */
async function moveToAnotherDisk(skills: string, folder: string): Promise<string> {
  const elsewhere = await mkdtemp(join(otherDisk(), 'knowhow-faults-'));
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
  await cp(skills, elsewhere, { recursive: true });
  await rename(skills, join(folder, 'skills'));
  await symlink(elsewhere, skills);
  return elsewhere;
}
