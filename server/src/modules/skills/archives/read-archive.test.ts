import { randomBytes } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rawTar } from '../../../testing/raw-tar.ts';
import { rawZip } from '../../../testing/raw-zip.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { readArchive } from './read-archive.ts';

const mebibyte = 1024 * 1024;
const main = { name: 'good/SKILL.md', content: skillFile('good', 'Does good.') };
const zeros = Buffer.alloc(10 * mebibyte);

/** Deflated data that expands to ten gigabytes. */
function tenGigabytes(): Buffer {
  const part = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH });
  const parts = Array.from({ length: 1024 }, () => part);
  return Buffer.concat([...parts, deflateRawSync('')]);
}

/** Measures memory and event-loop delay until an archive is rejected. */
async function cost(read: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  delay.enable();
  try {
    await read();
  } finally {
    delay.disable();
    clearInterval(timer);
  }
  return { mebibytes: (peak - before) / mebibyte, milliseconds: delay.max / 1e6 };
}

/** Tolerates a busy machine. */
const options = { retry: 2 };
const milliseconds = 150;

test.each([
  ['zip that declares its size', 4_000_000_000],
  ['zip that declares a small size', 1000],
])('rejects a zip bomb of ten gigabytes in a %s cheaply', options, async (_, size) => {
  const bomb = rawZip([main, { name: 'good/bomb', data: tenGigabytes(), size }]);
  const spent = await cost(async () => {
    await expect(readArchive(bomb, {})).rejects.toMatchObject({
      code: 'invalid-archive',
      issues: [{ path: 'good/bomb', code: expect.stringMatching(/bomb|file-too-large/) }],
    });
  });
  expect(spent.mebibytes).toBeLessThan(200);
  expect(spent.milliseconds).toBeLessThan(milliseconds);
});

test('rejects a bomb of ten gigabytes in a gzip cheaply', options, async () => {
  const part = gzipSync(zeros);
  const bomb = Buffer.concat(Array.from({ length: 1024 }, () => part));
  const spent = await cost(async () => {
    await expect(readArchive(bomb, {})).rejects.toMatchObject({
      code: 'invalid-archive',
      issues: [{ path: '', code: 'too-large' }],
    });
  });
  expect(spent.mebibytes).toBeLessThan(200);
  expect(spent.milliseconds).toBeLessThan(milliseconds);
});

test('reads the largest archive without blocking the event loop', options, async () => {
  const content = Buffer.alloc(3 * mebibyte, 'x');
  const files = [1, 2, 3, 4, 5].map((index) => ({ name: `${index}.txt`, content, method: 0 }));
  const skills = ['one', 'two'].flatMap((folder) =>
    [{ ...main, name: 'SKILL.md' }, ...files].map((file) => ({
      ...file,
      name: `${folder}/${file.name}`,
    })),
  );
  const zip = rawZip(skills);
  const spent = await cost(async () => {
    const archive = await readArchive(zip, {});
    expect(archive.skills.map((skill) => skill.files.length)).toEqual([6, 6]);
  });
  expect(spent.mebibytes).toBeLessThan(200);
  expect(spent.milliseconds).toBeLessThan(milliseconds);
});

test('rejects a hundred thousand entries cheaply', options, async () => {
  const entries = Array.from({ length: 100_000 }, (_, index) => ({ path: `${index}` }));
  const tar = rawTar(entries);
  const spent = await cost(async () => {
    await expect(readArchive(tar, {})).rejects.toMatchObject({
      issues: expect.arrayContaining([expect.objectContaining({ code: 'too-many-entries' })]),
    });
  });
  expect(spent.mebibytes).toBeLessThan(200);
  expect(spent.milliseconds).toBeLessThan(milliseconds);
});

test('rejects JSON that would need much memory cheaply', options, async () => {
  const greedy = Buffer.from(`{"content":"x","other":[${'{},'.repeat(8 * mebibyte)}{}]}`);
  const spent = await cost(async () => {
    await expect(readArchive(greedy, {})).rejects.toMatchObject({
      issues: [{ path: '', code: 'too-many-entries' }],
    });
  });
  expect(spent.mebibytes).toBeLessThan(200);
  expect(spent.milliseconds).toBeLessThan(milliseconds);
});

test('rejects a file of 513 MiB before reading it', async () => {
  const path = join(await temporaryFolder(), 'large.zip');
  await writeFile(path, '');
  await truncate(path, 513 * mebibyte);
  await expect(readArchive(path, {})).rejects.toMatchObject({ code: 'too-large', status: 413 });
});

test(
  'reads the skills of a tar of 130 MiB in a file, and nothing else of it',
  options,
  async () => {
    const film = {
      path: 'film.mp4',
      content: randomBytes(mebibyte).toString('base64').repeat(100),
    };
    const tar = rawTar([film, { path: main.name, content: main.content }, { path: 'good/a.md' }]);
    const path = join(await temporaryFolder(), 'repository.tar.gz');
    await writeFile(path, tar);
    const spent = await cost(async () => {
      const { skills } = await readArchive(path, {});
      expect(skills[0]?.files.map((file) => file.path)).toEqual(['SKILL.md', 'a.md']);
    });
    expect(spent.mebibytes).toBeLessThan(200);
    expect(spent.milliseconds).toBeLessThan(milliseconds);
  },
);

test('does not change the bytes of the caller', async () => {
  const zip = rawZip([main]);
  const before = Buffer.from(zip);
  const { skills } = await readArchive(zip, { fileName: 'a.zip' });
  expect(skills).toMatchObject([{ folder: 'good', root: 'good' }]);
  expect(zip.equals(before)).toBe(true);
});
