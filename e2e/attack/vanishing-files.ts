import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { callerNames, type Field } from './field.ts';
import { inParallel } from './in-parallel.ts';

/** Files that appear and vanish, small and large. */
const names = ['small.txt', 'large.bin', 'page.html', 'deep/file.md'];
const sizes = [0, 1, 70_000, 3_000_000];

/** Reads files of a skill while they are deleted, truncated, replaced and rewritten. */
export async function attackVanishingFiles(field: Field): Promise<void> {
  const folder = join(field.knowhow.contentsDir, 'skills', 'victim');
  await mkdir(join(folder, 'deep'), { recursive: true });
  let isOver = false;
  const changing = changeFiles(folder, () => isOver);
  try {
    await inParallel(8, Number.POSITIVE_INFINITY, async (each) => {
      if (field.isOver) {
        throw over;
      }
      await read(field, each);
    });
  } catch (error) {
    if (error !== over) {
      throw error;
    }
  } finally {
    isOver = true;
    await changing;
  }
}

const over = new Error('The time is over.');

async function read(field: Field, each: number): Promise<void> {
  const name = names[each % names.length];
  const as = callerNames[each % callerNames.length] ?? 'user';
  const area = as === 'admin' ? 'admin/skills' : 'skills';
  // A file truncated while it is sent can only be cut off.
  await field.ask(
    { method: 'GET', path: `/api/${area}/victim/files/${name}` },
    { as, mayBreak: true },
  );
  if (each % 20 === 0) {
    await field.ask({ method: 'GET', path: `/api/${area}/victim` }, { as });
    const path = '/api/admin/skills/victim/export';
    await field.ask({ method: 'GET', path }, { as: 'admin', mayBreak: true });
  }
}

/** About twenty changes per second and file, made outside the server. */
async function changeFiles(folder: string, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    for (const [at, name] of names.entries()) {
      const path = join(folder, name);
      const content = Buffer.alloc(sizes[(turn + at) % sizes.length] ?? 0, 'x');
      await changes[(turn + at) % changes.length]?.(path, content);
    }
    await wait(50);
  }
}

type Change = (path: string, content: Buffer) => Promise<void>;

const changes: Change[] = [
  (path, content) => writeOver(path, content),
  (path) => rm(path, { recursive: true, force: true }),
  (path, content) => writeOver(path, content),
  async (path, content) => {
    await writeFile(`${path}.new`, content);
    await rm(path, { recursive: true, force: true });
    await rename(`${path}.new`, path);
  },
  (path) => writeOver(path, Buffer.alloc(0)),
  async (path) => {
    await rm(path, { recursive: true, force: true });
    await mkdir(path);
  },
];

async function writeOver(path: string, content: Buffer): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFile(path, content);
}
