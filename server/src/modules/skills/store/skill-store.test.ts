import { chmod, mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { skillFile } from '../../../testing/skill-folder.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import { folderSource } from './folder-source.ts';
import type { BrokenSkill, SkillSource, StoredSkill } from './skill-source.ts';
import type { SkillFolder } from './skill-sources.ts';
import { openSkillStore, type SkillStore } from './skill-store.ts';

let folder: string;
let store: SkillStore | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => store?.close());

const source = (directory: string, options: Partial<SkillFolder> = {}): SkillFolder => ({
  kind: 'local',
  directory: join(folder, directory),
  recursive: false,
  ...options,
});

async function open(...sources: SkillFolder[]): Promise<SkillStore> {
  store = openSkillStore(
    (sources.length > 0 ? sources : [source('')]).map((each) => folderSource(each)),
  );
  await store.scanned;
  return store;
}

const names = ({ snapshot }: SkillStore) => [...snapshot.skills.keys()].sort();
const statuses = ({ sources }: SkillStore) => sources.map((each) => each.status());
const codes = ({ snapshot }: SkillStore, id: string) =>
  snapshot.skills.get(id)?.diagnostics.map(({ code }) => code);
const skill = (name: string, description = 'It.') => ({
  [`${name}/SKILL.md`]: skillFile(name.split('/').at(-1) ?? name, description),
});

test('reads files at a path of the writable folder, and none outside of it', async () => {
  await writeFiles(folder, { ...skill('skills/one'), 'private/notes.md': 'Not for readers.' });
  const opened = await open(source('skills'));
  const read = async (path: string) =>
    (await opened.readWritable(path))?.map(({ path: file }) => file);
  expect(await read('one')).toEqual(['SKILL.md']);
  for (const path of ['../private', 'one/../../private', join(folder, 'private'), 'a\0b', '..']) {
    expect(await read(path), path).toBeUndefined();
  }
});

describe('a source', () => {
  test('finds skills down to depth twelve, except in skipped folders', async () => {
    const deep = '1/2/3/4/5/6/7/8/9/10/11';
    await writeFiles(folder, {
      ...skill('one'),
      ...skill('a/b/two'),
      ...skill(`${deep}/twelve`),
      ...skill(`${deep}/12/thirteen`),
      ...skill('.git/hidden'),
      ...skill('node_modules/package'),
      'README.md': 'Not a skill.',
    });
    const opened = await open();
    expect(names(opened)).toEqual(['one', 'twelve', 'two']);
    expect(statuses(opened)).toMatchObject([{ leftOut: { tooDeep: 1, tooMany: 0 } }]);
  });

  test('scans the highest folders first, ordered by name', async () => {
    await writeFiles(folder, {
      ...skill('z'),
      ...skill('a/deep/er'),
      ...skill('a/b'),
      ...skill('c'),
      ...skill('d/e'),
    });
    store = openSkillStore([folderSource(source(''), { maxDepth: 12, maxFolders: 5 })]);
    await store.scanned;
    expect(names(store)).toEqual(['b', 'c', 'z']);
    expect(statuses(store)).toMatchObject([{ leftOut: { tooDeep: 0, tooMany: 2 } }]);
    await writeFiles(folder, skill('b'));
    await store.refresh();
    expect(names(store)).toEqual(['b', 'c', 'z']);
    expect(store.snapshot.skills.get('b')?.path).toBe('b');
    await rm(join(folder, 'a'), { recursive: true });
    await store.refresh();
    expect(names(store)).toEqual(['b', 'c', 'e', 'z']);
    expect(statuses(store)).toMatchObject([{ leftOut: { tooDeep: 0, tooMany: 0 } }]);
  });

  test('does not follow circular links to parent folders', async () => {
    await writeFiles(folder, { ...skill('a/one'), ...skill('b/two') });
    await symlink(join(folder, 'b'), join(folder, 'a/to-b'));
    await symlink(join(folder, 'a'), join(folder, 'b/to-a'));
    await symlink(folder, join(folder, 'a/top'));
    const opened = await open();
    expect(names(opened)).toEqual(['one', 'two']);
    expect(statuses(opened)).toMatchObject([{ leftOut: { tooDeep: 0 } }]);
  });

  test('finds nested skills only if it is recursive', async () => {
    await writeFiles(folder, { ...skill('outer'), ...skill('outer/inner') });
    expect(names(await open())).toEqual(['outer']);
    store?.close();
    const recursive = await open(source('', { recursive: true }));
    expect(names(recursive)).toEqual(['inner', 'outer']);
    const outer = recursive.snapshot.skills.get('outer');
    expect(outer && (await recursive.listFiles(outer))).toMatchObject([{ path: 'inner/SKILL.md' }]);
  });

  test('accepts SKILL.md in any case, preferring the exact one', async () => {
    await writeFiles(folder, {
      'one/skill.md': skillFile('one', 'Small.'),
      'two/Skill.md': skillFile('two', 'Wrong.'),
      'two/SKILL.md': skillFile('two', 'Right.'),
    });
    const opened = await open();
    expect(codes(opened, 'one')).toEqual(['filename-case']);
    expect(opened.snapshot.skills.get('two')).toMatchObject({
      description: 'Right.',
      diagnostics: [],
    });
  });

  test('names the missing target of a link or flattened link', async () => {
    await writeFiles(folder, { 'flat/SKILL.md': '../shared/flat.md', 'linked/other.md': 'Text' });
    await symlink('../shared/gone.md', join(folder, 'linked/SKILL.md'));
    const { snapshot } = await open();
    expect(snapshot.unreadable[0]?.diagnostic.message).toMatch(
      /"\.\.\/shared\/gone\.md".* does not exist/,
    );
    expect(snapshot.skills.get('flat')?.diagnostics).toMatchObject([
      {
        code: 'frontmatter-missing',
        message: expect.stringContaining('"../shared/flat.md"'),
      },
    ]);
  });

  test('may be a link itself, but links inside must not lead out', async () => {
    await writeFiles(folder, {
      ...skill('real/inside'),
      ...skill('real-evil/outside'),
      'real/linked/note.md': 'x',
    });
    await symlink(join(folder, 'real-evil/outside'), join(folder, 'real/outside'));
    await symlink(join(folder, 'real-evil/outside/SKILL.md'), join(folder, 'real/linked/SKILL.md'));
    await symlink('inside', join(folder, 'real/alias'));
    await symlink('..', join(folder, 'real/loop'));
    await symlink('real', join(folder, 'source'));
    const opened = await open(source('source'));
    expect(names(opened)).toEqual(['inside']);
    expect(opened.snapshot.unreadable).toMatchObject([{ diagnostic: { code: 'unreadable' } }]);
  });

  test('reads configuration as mounted by container platforms', async () => {
    await writeFiles(folder, { 'mount/..2026_1/SKILL.md': skillFile('mount', 'Mounted.') });
    await symlink('..2026_1', join(folder, 'mount/..data'));
    await symlink('..data/SKILL.md', join(folder, 'mount/SKILL.md'));
    const opened = await open();
    expect(opened.snapshot.skills.get('mount')).toMatchObject({ description: 'Mounted.' });
  });

  test('has no skills until its folder exists', async () => {
    expect(names(await open(source('later')))).toEqual([]);
  });
});

test('does not reveal folders of the host', async () => {
  await writeFiles(folder, { ...skill('a/one'), 'a/two/SKILL.md/x': 'x' });
  const { snapshot } = await open();
  expect(snapshot.skills.get('one')).toMatchObject({ path: 'a/one', source: { location: folder } });
  expect(snapshot.unreadable).toMatchObject([{ path: 'a/two' }]);
  type Known = keyof StoredSkill | keyof BrokenSkill | keyof SkillSource;
  expectTypeOf<Extract<Known, 'directory' | 'file'>>().toBeNever();
});

describe('two skills with one name', () => {
  test('uses the earlier source and reports the other as shadowed, with both locations', async () => {
    await writeFiles(folder, {
      ...skill('local/same', 'Ours.'),
      ...skill('extra/same', 'Theirs.'),
      ...skill('extra/other'),
    });
    const opened = await open(source('local'), source('extra', { kind: 'extra' }));
    expect(names(opened)).toEqual(['other', 'same']);
    expect(opened.snapshot.skills.get('same')).toMatchObject({ description: 'Ours.' });
    expect(opened.snapshot.shadowed).toMatchObject([
      {
        description: 'Theirs.',
        diagnostics: [
          {
            code: 'same-name',
            message: expect.stringContaining('extra:same is hidden by local:same'),
          },
        ],
      },
    ]);
  });

  test('merges equal files into one skill that names the other location', async () => {
    await writeFiles(folder, { ...skill('a/same'), ...skill('b/same') });
    const { snapshot } = await open();
    expect(snapshot).toMatchObject({ skills: { size: 1 }, shadowed: [] });
    expect(snapshot.skills.get('same')?.diagnostics).toMatchObject([
      { code: 'found-again', values: { place: 'local:a/same', others: 'local:b/same' } },
    ]);
  });

  test('compares names without case and Unicode form', async () => {
    await writeFiles(folder, {
      'caf\u00e9/SKILL.md': skillFile('x', 'One.'),
      'cafe\u0301/SKILL.md': skillFile('x', 'Two.'),
      'PDF/SKILL.md': skillFile('x', 'Three.'),
      'pdf/SKILL.md': skillFile('x', 'Four.'),
    });
    const { snapshot } = await open();
    expect([...snapshot.skills.keys()]).toEqual(['pdf', 'caf\u00e9']);
    expect(snapshot.shadowed).toHaveLength(2);
  });
});

describe('what cannot be read', () => {
  test('is reported, and everything else loads', async () => {
    await writeFiles(folder, {
      ...skill('good'),
      'directory/SKILL.md/inside.txt': 'x',
      'empty/SKILL.md': '',
      'huge/SKILL.md': Buffer.alloc(5 * 1024 * 1024, 'x'),
      'gone/other.md': 'x',
      'looping/other.md': 'x',
    });
    await symlink('nowhere', join(folder, 'gone/SKILL.md'));
    await symlink('SKILL.md', join(folder, 'looping/SKILL.md'));
    await mkdir(join(folder, 'socket'));
    const socket = createServer().listen(join(folder, 'socket/SKILL.md'));
    const opened = await open();
    expect(opened.snapshot.skills.get('good')?.enabledByDefault).toBe(true);
    expect(opened.snapshot.skills.get('empty')?.enabledByDefault).toBe(false);
    const found = Object.fromEntries(
      opened.snapshot.unreadable.map(({ path, diagnostic }) => [path, diagnostic.code]),
    );
    expect(found).toEqual({
      directory: 'unreadable',
      gone: 'unreadable',
      huge: 'too-large',
      looping: 'unreadable',
      socket: 'unreadable',
    });
    socket.close();
  });

  test.skipIf(process.getuid?.() === 0)('is reported for a file without permission', async () => {
    await writeFiles(folder, skill('secret'));
    await chmod(join(folder, 'secret/SKILL.md'), 0);
    expect((await open()).snapshot.unreadable).toMatchObject([
      { diagnostic: { code: 'unreadable' } },
    ]);
  });
});

test('follows a link flattened by an archive, inside the source', async () => {
  await writeFiles(folder, {
    'shared/flat.md': skillFile('flat', 'The real one.'),
    'flat/SKILL.md': '../shared/flat.md',
    'evil/SKILL.md': '../../../etc/passwd.md',
  });
  const opened = await open();
  expect(opened.snapshot.skills.get('flat')).toMatchObject({ description: 'The real one.' });
  expect(codes(opened, 'flat')).toContain('flattened-symlink');
  expect(opened.snapshot.skills.get('evil')?.enabledByDefault).toBe(false);
});

describe('a change is picked up within two seconds', () => {
  const seen = async (condition: (opened: SkillStore) => boolean) => {
    const opened = store;
    const started = performance.now();
    await waitFor(() => opened && condition(opened));
    expect(performance.now() - started).toBeLessThan(2000);
  };

  test('in folders that are added, edited, renamed and deleted, including nested ones', async () => {
    await writeFiles(folder, skill('one'));
    const opened = await open();
    const before = opened.snapshot;
    await writeFiles(folder, skill('group/deep/two'));
    await seen(({ snapshot }) => snapshot.skills.has('two'));
    expect(before.skills.has('two')).toBe(false);
    await writeFile(join(folder, 'group/deep/two/SKILL.md'), skillFile('two', 'Edited.'));
    await seen(({ snapshot }) => snapshot.skills.get('two')?.description === 'Edited.');
    await rename(join(folder, 'group/deep'), join(folder, 'group/moved'));
    await seen(({ snapshot }) => snapshot.skills.get('two')?.path.includes('moved') ?? false);
    await writeFile(join(folder, 'group/moved/two/SKILL.md'), skillFile('two', 'Again.'));
    await seen(({ snapshot }) => snapshot.skills.get('two')?.description === 'Again.');
    await rm(join(folder, 'group'), { recursive: true });
    await seen((current) => names(current).join() === 'one');
  });

  test('in a mounted ConfigMap, which is replaced by one link', async () => {
    await writeFiles(folder, { 'mount/..2026_1/SKILL.md': skillFile('mount', 'Old.') });
    await symlink('..2026_1', join(folder, 'mount/..data'));
    await symlink('..data/SKILL.md', join(folder, 'mount/SKILL.md'));
    const opened = await open();
    expect(opened.snapshot.skills.get('mount')?.description).toBe('Old.');
    await writeFiles(folder, { 'mount/..2026_2/SKILL.md': skillFile('mount', 'New.') });
    await symlink('..2026_2', join(folder, 'mount/..data_tmp'));
    await rename(join(folder, 'mount/..data_tmp'), join(folder, 'mount/..data'));
    await seen(({ snapshot }) => snapshot.skills.get('mount')?.description === 'New.');
  });

  test('in a folder that replaces another', async () => {
    const staged = await temporaryFolder();
    await writeFiles(folder, skill('swap', 'Old.'));
    await writeFiles(staged, skill('swap', 'New.'));
    await open();
    await rename(join(folder, 'swap'), join(staged, 'old'));
    await rename(join(staged, 'swap'), join(folder, 'swap'));
    await seen(({ snapshot }) => snapshot.skills.get('swap')?.description === 'New.');
    await writeFile(join(folder, 'swap/SKILL.md'), skillFile('swap', 'Newer.'));
    await seen(({ snapshot }) => snapshot.skills.get('swap')?.description === 'Newer.');
  });

  test('in a source that another folder replaces', async () => {
    const staged = await temporaryFolder();
    await writeFiles(folder, skill('swap', 'Old.'));
    await writeFiles(join(staged, 'new'), skill('swap', 'New.'));
    await open();
    // The watch must be on the folder that is replaced.
    await wait(500);
    await rename(folder, join(staged, 'old'));
    await rename(join(staged, 'new'), folder);
    await seen(({ snapshot }) => snapshot.skills.get('swap')?.description === 'New.');
  });

  test('in a file that is copied slowly', async () => {
    await open();
    const text = skillFile('slow', 'Whole.');
    await mkdir(join(folder, 'slow'));
    for (let end = 10; end < text.length + 10; end += 10) {
      await writeFile(join(folder, 'slow/SKILL.md'), text.slice(0, end));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await seen(({ snapshot }) => snapshot.skills.get('slow')?.enabledByDefault === true);
  });

  test('in the list of sources', async () => {
    await writeFiles(folder, { ...skill('a/one'), ...skill('b/two') });
    const opened = await open(source('a'));
    opened.setSources(
      [source('a'), source('b', { kind: 'extra' })].map((each) => folderSource(each)),
    );
    await seen((current) => names(current).join() === 'one,two');
  });
});

describe('a refresh', () => {
  test('shows what was written to a folder before: new, edited, deleted', async () => {
    await writeFiles(folder, skill('group/one'));
    const opened = await open();
    await writeFiles(folder, skill('group/two'));
    await opened.refresh('group/two');
    expect(names(opened)).toEqual(['one', 'two']);
    await writeFiles(folder, skill('group/two', 'Edited.'));
    await opened.refresh('group/two');
    expect(opened.snapshot.skills.get('two')).toMatchObject({
      description: 'Edited.',
      updatedAt: (await stat(join(folder, 'group/two/SKILL.md'))).mtimeMs,
    });
    await rm(join(folder, 'group/two'), { recursive: true });
    await opened.refresh('group/two');
    expect(names(opened)).toEqual(['one']);
  });

  test('shows the first skill of a source that did not exist', async () => {
    const opened = await open(source('later'));
    await writeFiles(folder, skill('later/first'));
    await opened.refresh('first');
    expect(names(opened)).toEqual(['first']);
  });

  test('shows everything if no folder is named', async () => {
    await writeFiles(folder, { ...skill('a/one'), ...skill('b/two') });
    const opened = await open(source('a'), source('b', { kind: 'extra' }));
    await writeFiles(folder, { ...skill('a/three'), 'b/two/SKILL.md': skillFile('two', 'New.') });
    await rm(join(folder, 'a/one/SKILL.md'));
    await opened.refresh();
    expect(names(opened)).toEqual(['three', 'two']);
    expect(opened.snapshot.skills.get('two')?.description).toBe('New.');
  });

  test('keeps the snapshot object if no skill has changed', async () => {
    await writeFiles(folder, { ...skill('a/one'), ...skill('b/two') });
    const opened = await open(source('a'));
    const { snapshot } = opened;
    await opened.refresh();
    await opened.refresh('two');
    expect(opened.snapshot).toBe(snapshot);
  });

  test('does not follow a link out of the source that has replaced a folder', async () => {
    await writeFiles(folder, { ...skill('in/one'), ...skill('in/group/two'), ...skill('out/two') });
    const opened = await open(source('in'));
    await writeFiles(folder, skill('out/one', 'Secret.'));
    for (const [path, target] of [
      ['in/one', 'out/one'],
      ['in/group', 'out'],
    ] as const) {
      await rm(join(folder, path), { recursive: true });
      await symlink(join(folder, target), join(folder, path));
    }
    await opened.refresh();
    expect(names(opened)).toEqual([]);
  });

  test('finds a folder again after a file had replaced it', async () => {
    await writeFiles(folder, skill('group/one'));
    const opened = await open();
    await rename(join(folder, 'group/one'), join(folder, 'aside'));
    await writeFile(join(folder, 'group/one'), 'A file.');
    await opened.refresh();
    expect(names(opened)).toEqual(['aside']);
    await rm(join(folder, 'group/one'));
    await rename(join(folder, 'aside'), join(folder, 'group/one'));
    await opened.refresh();
    expect(names(opened)).toEqual(['one']);
  });
});
