import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '../../../platform/cluster/local-cluster.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import { databaseProblem } from '../../../platform/storage/database-problem.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { toSkillLocation } from '../../../testing/skill-folder.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import { writeArchive } from '../archives/write-archive.ts';
import type { PackedFile } from '../format/skill-format.ts';
import { readContent } from './skill-content.ts';
import { createSkillHistory } from './skill-history.ts';
import { createSkillWriter } from './skill-writer.ts';

const by = { id: 'u1', name: 'Ann' };
const skill = (text: string): PackedFile[] => [
  { path: 'SKILL.md', bytes: Buffer.from(text), executable: false },
];
const edited = (text: string) => ({
  action: 'edited',
  summary: 'SKILL.md',
  by,
  files: skill(text),
});
const deleted = { action: 'deleted', summary: '', by, files: undefined };

async function newHistory() {
  const data = await temporaryFolder();
  const database = await openTestDatabase(data);
  onTestFinished(() => database.destroy());
  const directory = join(data, 'history');
  /** Stored states: skill, checksum and number of parts. */
  const storedStates = () =>
    database
      .selectFrom('skill_states')
      .select(({ fn }) => ['skill', 'checksum', fn.countAll<number>().as('parts')])
      .groupBy(['skill', 'checksum'])
      .execute();
  return {
    kept: storedStates,
    database,
    directory,
    history: createSkillHistory({ cluster: createLocalCluster(), database, directory }),
  };
}

test('lists revisions with author, time and action, newest first', async () => {
  const { history } = await newHistory();
  await history.record('pdf', { ...edited('one'), action: 'created', summary: '' });
  await history.record('pdf', edited('two!'));
  await history.record('word', edited('another'));
  expect(await history.list('pdf')).toEqual([
    {
      number: 2,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      by: 'Ann',
      action: 'edited',
      summary: 'SKILL.md',
      checksum: getFilesChecksum(skill('two!')),
      files: 1,
      bytes: 4,
    },
    expect.objectContaining({ number: 1, action: 'created', bytes: 3 }),
  ]);
  expect(await history.list('nothing')).toEqual([]);
});

test('returns the files of a revision byte for byte, with executable bits', async () => {
  const { history } = await newHistory();
  const files: PackedFile[] = [
    { path: 'SKILL.md', bytes: Buffer.from('text'), executable: false },
    { path: 'empty', bytes: Buffer.from(''), executable: false },
    { path: 'scripts/ein Ürün 日本.sh', bytes: Buffer.from('#!'), executable: true },
    {
      path: 'z.bin',
      bytes: Buffer.from(Array.from({ length: 70_000 }, (_, at) => at % 251)),
      executable: false,
    },
  ];
  await history.record('pdf', { ...edited(''), files });
  expect(await history.files('pdf', 1)).toEqual(files);
  expect(await history.files('pdf', 2)).toBeUndefined();
  expect(await history.files('word', 1)).toBeUndefined();
});

test('records changes on the disk once before they are overwritten', async () => {
  const { history } = await newHistory();
  await history.keepBefore('pdf', skill('by hand'));
  await history.record('pdf', edited('one'));
  await history.keepBefore('pdf', skill('one'));
  await history.keepBefore('pdf', skill('by hand'));
  await history.keepBefore('pdf', skill('by hand'));
  const revisions = await history.list('pdf');
  expect(revisions.map(({ action, by }) => [action, by])).toEqual([
    ['found', undefined],
    ['edited', 'Ann'],
    ['found', undefined],
  ]);
  expect(await history.files('pdf', 1)).toEqual(skill('by hand'));
});

test('keeps the last 20 revisions and never reuses a number', async () => {
  const { history, kept } = await newHistory();
  for (let at = 1; at <= 23; at += 1) {
    await history.record('pdf', edited(`state ${at}`));
  }
  const numbers = (await history.list('pdf')).map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => 23 - at));
  expect(await kept()).toHaveLength(20);
  expect(await history.files('pdf', 3)).toBeUndefined();
  expect(await history.files('pdf', 4)).toEqual(skill('state 4'));
});

test('stores equal files once, as long as a revision needs them', async () => {
  const { history, kept } = await newHistory();
  for (let at = 1; at <= 21; at += 1) {
    await history.record('pdf', edited(at % 2 ? 'odd' : 'even'));
  }
  expect(await kept()).toHaveLength(2);
  expect(await history.files('pdf', 2)).toEqual(skill('even'));
  expect(await history.files('pdf', 21)).toEqual(skill('odd'));
});

test('restores a deleted skill and continues its history', async () => {
  const { history } = await newHistory();
  const skills = await temporaryFolder();
  const writer = createSkillWriter({ cluster: createLocalCluster(), directory: () => skills });
  await writer.install('pdf', skill('one'));
  await history.record('pdf', edited('one'));
  await writer.remove('pdf');
  await history.record('pdf', deleted);
  const [newest, before] = await history.list('pdf');
  expect(newest).toEqual(expect.objectContaining({ action: 'deleted', files: 0, bytes: 0 }));
  expect(newest).not.toHaveProperty('checksum');
  expect(await history.files('pdf', 2)).toBeUndefined();

  await writer.install('pdf', (await history.files('pdf', before?.number ?? 0)) ?? []);
  await history.record('pdf', { ...edited('one'), action: 'restored', summary: '1' });
  expect(await readContent(toSkillLocation(join(skills, 'pdf')))).toEqual(skill('one'));
  expect((await history.list('pdf')).map(({ number }) => number)).toEqual([3, 2, 1]);
});

test('numbers concurrent records in order', async () => {
  const { history } = await newHistory();
  await Promise.all(['a', 'b', 'c'].map((text) => history.record('pdf', edited(text))));
  const files = await Promise.all([1, 2, 3].map((number) => history.files('pdf', number)));
  expect(files).toEqual([skill('a'), skill('b'), skill('c')]);
});

test('removes leftovers of a crash at startup and keeps the states', async () => {
  const { database, history, kept } = await newHistory();
  await history.record('pdf', edited('one'));
  const part = { part: 0, parts: 2, bytes: Buffer.from('half') };
  await database
    .insertInto('skill_states')
    .values([
      { skill: 'pdf', checksum: 'of a row that was never written', ...part },
      { skill: 'word', checksum: 'of a skill without any row', ...part },
    ])
    .execute();
  await history.recover();
  const checksum = getFilesChecksum(skill('one'));
  expect(await kept()).toEqual([{ skill: 'pdf', checksum, parts: 1 }]);
  expect(await history.files('pdf', 1)).toEqual(skill('one'));
});

test('ignores a state with missing parts and writes it again when needed', async () => {
  const { database, history, kept } = await newHistory();
  const files = [{ path: 'z.bin', bytes: randomBytes(2_500_000), executable: false }];
  await history.record('pdf', { ...edited(''), files });
  expect(await kept()).toMatchObject([{ parts: 3 }]);
  await database.deleteFrom('skill_states').where('part', '=', 1).execute();
  expect(await history.files('pdf', 1)).toBeUndefined();
  await history.record('pdf', { ...edited(''), files });
  expect(await kept()).toMatchObject([{ parts: 3 }]);
  expect(getFilesChecksum((await history.files('pdf', 1)) ?? [])).toBe(getFilesChecksum(files));
});

test('migrates states that an earlier version stored as files and deletes the files', async () => {
  const { database, directory, history, kept } = await newHistory();
  await history.record('pdf', edited('one'));
  await history.record('pdf', edited('two'));
  await database.deleteFrom('skill_states').execute();
  const zipOf = (text: string) => writeArchive('pdf', skill(text), 'zip');
  await writeFiles(directory, {
    [`pdf/${getFilesChecksum(skill('one'))}.zip`]: await zipOf('one'),
    [`pdf/${getFilesChecksum(skill('two'))}.zip`]: await zipOf('two'),
    'pdf/0000.zip': 'of a row that was never written',
    'pdf/x.zip.1234.tmp': 'half',
    'word/0000.zip': 'of a skill without any row',
  });
  await history.recover();
  expect(await kept()).toHaveLength(2);
  expect(await history.files('pdf', 1)).toEqual(skill('one'));
  expect(await history.files('pdf', 2)).toEqual(skill('two'));
  expect(await readdir(join(directory, '..'))).not.toContain('history');
  await history.recover();
  expect(await kept()).toHaveLength(2);
});

test.skipIf(onPostgres())('does not record a revision when the disk is full', async () => {
  const { database, history, kept } = await newHistory();
  await history.record('pdf', edited('one'));
  await sql`pragma max_page_count = 1`.execute(database);
  const files = [{ path: 'z.bin', bytes: randomBytes(2_500_000), executable: false }];
  const error: unknown = await history.record('pdf', { ...edited(''), files }).catch((e) => e);
  expect(databaseProblem(error)).toMatchObject({ code: 'not-writable' });
  expect(await history.list('pdf')).toHaveLength(1);
  await sql`pragma max_page_count = 1000000`.execute(database);
  await history.record('pdf', edited('two'));
  expect(await kept()).toHaveLength(2);
  expect(await history.files('pdf', 2)).toEqual(skill('two'));
});
