import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '../cluster/local-cluster.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';
import { openDatabase } from '../storage/open-database.ts';
import { temporaryFolder, writeFiles } from '../testing/write-files.ts';
import { checksumOf, readFolder } from './folder-content.ts';
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
  const database = await openDatabase(data);
  onTestFinished(() => database.destroy());
  const directory = join(data, 'history');
  return {
    database,
    directory,
    history: createSkillHistory({ cluster: createLocalCluster(), database, directory }),
  };
}

test('each state is told with who made it, when and how, the newest first', async () => {
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
      checksum: checksumOf(skill('two!')),
      files: 1,
      bytes: 4,
    },
    expect.objectContaining({ number: 1, action: 'created', bytes: 3 }),
  ]);
  expect(await history.list('nothing')).toEqual([]);
});

test('a state gives back the same files, byte for byte, with their executable bits', async () => {
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

test('what somebody changed on the disk is found before it is written over, and only once', async () => {
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

test('the last 20 states are kept, and no number is given twice', async () => {
  const { history, directory } = await newHistory();
  for (let at = 1; at <= 23; at += 1) {
    await history.record('pdf', edited(`state ${at}`));
  }
  const numbers = (await history.list('pdf')).map(({ number }) => number);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => 23 - at));
  expect(await readdir(join(directory, 'pdf'))).toHaveLength(20);
  expect(await history.files('pdf', 3)).toBeUndefined();
  expect(await history.files('pdf', 4)).toEqual(skill('state 4'));
});

test('the same files are kept once, and as long as a state needs them', async () => {
  const { history, directory } = await newHistory();
  for (let at = 1; at <= 21; at += 1) {
    await history.record('pdf', edited(at % 2 ? 'odd' : 'even'));
  }
  expect(await readdir(join(directory, 'pdf'))).toHaveLength(2);
  expect(await history.files('pdf', 2)).toEqual(skill('even'));
  expect(await history.files('pdf', 21)).toEqual(skill('odd'));
});

test('a deleted skill can be brought back, and its history goes on', async () => {
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
  expect(await readFolder(join(skills, 'pdf'))).toEqual(skill('one'));
  expect((await history.list('pdf')).map(({ number }) => number)).toEqual([3, 2, 1]);
});

test('records of one moment get numbers in their order', async () => {
  const { history } = await newHistory();
  await Promise.all(['a', 'b', 'c'].map((text) => history.record('pdf', edited(text))));
  const files = await Promise.all([1, 2, 3].map((number) => history.files('pdf', number)));
  expect(files).toEqual([skill('a'), skill('b'), skill('c')]);
});

test('what a crash has left is removed at the start, the states are kept', async () => {
  const { history, directory } = await newHistory();
  await history.record('pdf', edited('one'));
  await writeFiles(directory, {
    'pdf/0000.zip': 'of a row that was never written',
    'pdf/x.zip.1234.tmp': 'half',
    'word/0000.zip': 'of a skill without any row',
  });
  await history.recover();
  expect(await readdir(directory)).toEqual(['pdf']);
  expect(await readdir(join(directory, 'pdf'))).toEqual([`${checksumOf(skill('one'))}.zip`]);
  expect(await history.files('pdf', 1)).toEqual(skill('one'));
});

test('only the server may read the states', async () => {
  const { history, directory } = await newHistory();
  await history.record('pdf', edited('one'));
  const [name = ''] = await readdir(join(directory, 'pdf'));
  expect((await stat(join(directory, 'pdf', name))).mode & 0o777).toBe(0o600);
});

test('a state that cannot be kept is a problem and not recorded', async () => {
  const { history, directory } = await newHistory();
  await writeFile(directory, 'a file in place of the folder');
  await expect(history.record('pdf', edited('one'))).rejects.toMatchObject({
    code: 'not-writable',
    message: expect.stringContaining('history'),
  });
  expect(await history.list('pdf')).toEqual([]);
});
