import { randomBytes } from 'node:crypto';
import type { PackedFile } from '@knowhow/skill-format';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { databaseProblem } from '../../../platform/storage/database-problem.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';
import { createSkillVersions } from './skill-versions.ts';

const by = { id: 'u1', name: 'Ann' };
const origin = { kind: 'page' as const };
const file = (path: string, content: string | Buffer): PackedFile => ({
  path,
  bytes: Buffer.from(content),
  executable: false,
});
const skill = (text: string) => [file('SKILL.md', text)];
const saved = (files: readonly PackedFile[] | undefined, action = 'file-written') => ({
  action,
  summary: 'SKILL.md',
  origin,
  by,
  files,
});
const edited = (text: string) => saved(skill(text));

async function start({ keep = 100, names = [] as string[] } = {}) {
  const database = await openTestDatabase(await temporaryFolder());
  onTestFinished(() => database.destroy());
  const isThere = (name: string) => names.includes(name);
  const open = () =>
    createSkillVersions({
      cluster: createLocalCluster(),
      database,
      keep: () => keep,
      keepAlways: async () => new Set(),
      isThere,
    });
  const versions = open();
  const numbers = async (name: string) =>
    (await versions.list(name, { limit: 200 })).items.map(({ number }) => number);
  const countBlobs = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(distinct digest) as n from skill_blobs`.execute(database);
    return Number(rows[0]?.n);
  };
  return { database, versions, open, numbers, countBlobs };
}

test('lists versions with author, time, message and origin, newest first', async () => {
  const { versions } = await start();
  await versions.record('pdf', { ...edited('one'), action: 'created', summary: '' });
  await versions.record('pdf', { ...edited('two!'), message: 'Says two.' });
  await versions.record('word', edited('another'));

  expect(await versions.list('pdf', { limit: 10 })).toEqual({
    items: [
      {
        number: 2,
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        author: 'Ann',
        action: 'file-written',
        summary: 'SKILL.md',
        message: 'Says two.',
        origin,
        digest: expect.stringMatching(/^[\da-f]{64}$/),
        checksum: await getFilesChecksum(skill('two!')),
        files: 1,
        bytes: 4,
      },
      expect.objectContaining({ number: 1, action: 'created', message: '', bytes: 3 }),
    ],
    total: 2,
  });
  expect(await versions.list('pdf', { limit: 1, before: 2 })).toMatchObject({
    items: [{ number: 1 }],
    total: 2,
  });
  expect(await versions.list('nothing', { limit: 10 })).toEqual({ items: [], total: 0 });
});

test('returns the files of a version byte for byte, with executable bits', async () => {
  const { versions } = await start();
  const files = [
    file('SKILL.md', 'text'),
    file('empty', ''),
    { ...file('scripts/ein Ürün 日本.sh', '#!'), executable: true },
    file('z.bin', Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 251))),
  ];
  await versions.record('pdf', saved(files));

  expect(await versions.files('pdf', 1)).toEqual(files);
  expect(await versions.files('pdf', 2)).toBeUndefined();
  expect(await versions.files('word', 1)).toBeUndefined();
});

test('the digest covers paths and contents, whatever the order and the executable bits', async () => {
  const { versions } = await start();
  const [one, two] = [file('SKILL.md', 'a'), file('b', 'c')];
  for (const files of [
    [one, two],
    [two, { ...one, executable: true }],
    [one, file('c', 'c')],
  ]) {
    await versions.record('pdf', saved(files));
  }
  const [third, second, first] = (await versions.list('pdf', { limit: 3 })).items;
  expect(second?.digest).toBe(first?.digest);
  expect(second?.checksum).not.toBe(first?.checksum);
  expect(third?.digest).not.toBe(first?.digest);
});

test('records changes of the file system once before they are overwritten', async () => {
  const { versions } = await start();
  await versions.keepBefore('pdf', skill('by hand'));
  await versions.record('pdf', edited('one'));
  await versions.keepBefore('pdf', skill('one'));
  await versions.keepBefore('pdf', skill('by hand'));
  await versions.keepBefore('pdf', skill('by hand'));

  const { items } = await versions.list('pdf', { limit: 10 });
  expect(items.map(({ origin: { kind }, author }) => [kind, author])).toEqual([
    ['file-system', undefined],
    ['page', 'Ann'],
    ['file-system', undefined],
  ]);
});

test('keeps as many versions as the setting says and never reuses a number', async () => {
  const { versions, numbers, countBlobs } = await start({ keep: 3 });
  for (let at = 1; at <= 5; at += 1) {
    await versions.record('pdf', edited(`state ${at}`));
  }
  expect(await numbers('pdf')).toEqual([5, 4, 3]);
  expect(await countBlobs()).toBe(3);
  expect(await versions.files('pdf', 2)).toBeUndefined();
  expect(await versions.files('pdf', 3)).toEqual(skill('state 3'));
  expect(await versions.numberBefore('pdf', 3)).toBeUndefined();
});

test('stores equal contents once, as long as a version of any skill needs them', async () => {
  const { versions, countBlobs } = await start({ keep: 1 });
  await versions.record('pdf', edited('shared'));
  await versions.record('word', edited('shared'));
  expect(await countBlobs()).toBe(1);
  await versions.record('pdf', edited('own'));
  expect(await versions.files('word', 1)).toEqual(skill('shared'));
  await versions.record('word', edited('own'));
  expect(await countBlobs()).toBe(1);
});

test('a version that changes one file of 100 stores that file and at most 10 kB', async () => {
  const { database, versions, countBlobs } = await start();
  const files = Array.from({ length: 100 }, (_, at) =>
    file(`references/a-topic-with-a-long-name/chapter-${at}.md`, `Chapter ${at}`),
  );
  await versions.record('book', saved(files));
  const before = await countBlobs();
  await versions.record('book', saved([...files.slice(1), file('changed.md', 'Changed.')]));

  expect(await countBlobs()).toBe(before + 1);
  const [row] = await database
    .selectFrom('skill_versions')
    .select('manifest')
    .where('number', '=', 2)
    .execute();
  expect(row?.manifest?.length).toBeLessThan(10_000);
});

test('keeps the versions of a deleted skill, and continues them', async () => {
  const { versions, numbers } = await start();
  await versions.record('pdf', edited('one'));
  const assignments = { groups: ['staff'] };
  await versions.record('pdf', { ...saved(undefined, 'deleted'), assignments });
  const [newest] = (await versions.list('pdf', { limit: 1 })).items;
  expect(newest).toMatchObject({ action: 'deleted', files: 0, bytes: 0 });
  expect(newest).not.toHaveProperty('digest');
  expect(await versions.assignments('pdf')).toEqual(assignments);

  await versions.record('pdf', edited('one'));
  expect(await versions.assignments('pdf')).toBeUndefined();
  expect(await numbers('pdf')).toEqual([3, 2, 1]);
});

test('a renamed skill keeps its versions', async () => {
  const { versions, numbers } = await start({ names: ['copied'] });
  await versions.record('pdf', edited('one'));
  await versions.record('pdf', edited('two'));
  await versions.keepBefore('documents', skill('two'));

  expect(await numbers('documents')).toEqual([2, 1]);
  expect(await numbers('pdf')).toEqual([]);

  await versions.record('copied', edited('three'));
  await versions.keepBefore('copy', skill('three'));
  expect(await numbers('copied')).toEqual([1]);
  expect(await numbers('copy')).toEqual([1]);
});

test('writes at the same time get different numbers', async () => {
  const { versions, open, numbers } = await start();
  const other = open();
  const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all(
    texts.map((text, at) => (at % 2 ? versions : other).record('pdf', edited(text))),
  );
  expect(await numbers('pdf')).toEqual([6, 5, 4, 3, 2, 1]);
  const contents = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => versions.files('pdf', at)));
  expect(contents.map((files) => String(files?.[0]?.bytes)).sort()).toEqual(texts);
});

test('blobs that a crash left are collected at startup, and completed by the next write', async () => {
  const { database, versions, countBlobs } = await start();
  const content = randomBytes(2_500_000);
  const files = [file('z.bin', content)];
  await versions.record('pdf', edited('one'));
  await versions.record('word', saved(files));
  await database.deleteFrom('skill_blobs').where('part', '=', 1).execute();
  expect(await versions.files('word', 1)).toBeUndefined();
  await versions.record('excel', saved(files));
  expect(await getFilesChecksum((await versions.files('word', 1)) ?? [])).toBe(
    await getFilesChecksum(files),
  );
  const left = { digest: 'of a version that was never written', part: 0, parts: 2 };
  await database
    .insertInto('skill_blobs')
    .values({ ...left, bytes: Buffer.from('half') })
    .execute();

  await versions.recover();

  expect(await countBlobs()).toBe(2);
  expect(await versions.files('pdf', 1)).toEqual(skill('one'));
});

test.skipIf(onPostgres())('records no version when the disk is full', async () => {
  const { database, versions, numbers } = await start();
  await versions.record('pdf', edited('one'));
  await sql`pragma max_page_count = 1`.execute(database);
  const large = saved([file('z.bin', randomBytes(2_500_000))]);
  const error: unknown = await versions.record('pdf', large).catch((thrown) => thrown);
  expect(databaseProblem(error)).toMatchObject({ code: 'not-writable' });
  expect(await numbers('pdf')).toEqual([1]);
  await sql`pragma max_page_count = 1000000`.execute(database);
  await versions.record('pdf', edited('two'));
  expect(await versions.files('pdf', 2)).toEqual(skill('two'));
});
