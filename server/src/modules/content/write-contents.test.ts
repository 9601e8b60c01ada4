import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitConcurrency } from '../../platform/lib/limit-concurrency.ts';
import { readTree } from '../../testing/read-tree.ts';
import { type Files, temporaryFolder, writeFiles } from '../../testing/write-files.ts';
import { allowVariables } from './allowed-variables.ts';
import { rollBackCommit, writeRollbackJournal } from './commit-files.ts';
import { openContentStore } from './content-store.ts';
import { type ContentTransaction, createContentWriter } from './write-contents.ts';

async function open(files: Files, variables: Record<string, string> = {}) {
  const directory = await temporaryFolder();
  const dataDirectory = await temporaryFolder();
  await writeFiles(directory, files);
  const content = await openContentStore(directory, allowVariables(variables));
  const writer = createContentWriter({
    content,
    directory,
    dataDirectory,
    withLock: limitConcurrency(1),
    checkGroups: () => Promise.resolve(),
  });
  const update: ContentTransaction = {
    updateApp: (id, change) => writer.transaction((all) => all.updateApp(id, change)),
    updateGroup: (id, change) => writer.transaction((all) => all.updateGroup(id, change)),
    updatePlatformConfig: (change) => writer.transaction((all) => all.updatePlatformConfig(change)),
    updateSkillsConfig: (change) => writer.transaction((all) => all.updateSkillsConfig(change)),
    updateSkillSources: (change) => writer.transaction((all) => all.updateSkillSources(change)),
    updateSourcesLock: (change) => writer.transaction((all) => all.updateSourcesLock(change)),
    updateToolsConfig: (change) => writer.transaction((all) => all.updateToolsConfig(change)),
  };
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(directory, path), 'utf8'));
  return { directory, dataDirectory, content, writer: { ...writer, ...update }, read };
}

const addSkill = (name: string) => (raw: Record<string, unknown>) => ({
  ...raw,
  skills: [...(Array.isArray(raw.skills) ? raw.skills : []), name],
});

test('writes and activates an updated app', async () => {
  const app = { id: 'chat', name: '${NAME:-Chat}', odd: 1 };
  const { writer, content, read } = await open({ 'apps/other-name.json': app });
  const change = await writer.updateApp('chat', addSkill('pdf'));
  expect(change).toEqual({ before: app, after: { ...app, skills: ['pdf'] }, changed: true });
  expect(await read('apps/other-name.json')).toEqual({ ...app, skills: ['pdf'] });
  expect(content.current.apps.get('chat')).toMatchObject({ name: 'Chat', skills: ['pdf'] });
});

test('serialises concurrent updates', async () => {
  const { writer, read } = await open({ 'apps/chat.json': { id: 'chat', name: 'Chat' } });
  const names = Array.from({ length: 10 }, (_, index) => `skill-${index}`);
  await Promise.all(names.map((name) => writer.updateApp('chat', addSkill(name))));
  expect(await read('apps/chat.json')).toMatchObject({ skills: names });
});

test('writes nothing if an update changes nothing, even if it mutates its argument', async () => {
  const { writer, directory } = await open({ 'apps/chat.json': { id: 'chat', name: 'Chat' } });
  const path = join(directory, 'apps/chat.json');
  const { ino } = await stat(path);
  const same = await writer.updateApp('chat', (raw) => ({ ...raw, skills: undefined }));
  expect(same.changed).toBe(false);
  expect((await stat(path)).ino).toBe(ino);
  const edited = await writer.updateApp('chat', (raw) => Object.assign(raw, { color: 'red' }));
  expect(edited).toMatchObject({ changed: true, before: { id: 'chat', name: 'Chat' } });
});

test('creates missing files for skills and groups', async () => {
  const { writer, content } = await open({});
  await writer.updateSkillsConfig((raw) => ({ ...raw, skills: { pdf: { enabled: false } } }));
  await writer.put('groups', 'staff', { config: { name: 'Staff' } });
  await writer.updateGroup('staff', (raw) => ({ ...raw, permissions: { skills: ['pdf'] } }));
  expect(content.current.skills.skills).toEqual({ pdf: { enabled: false } });
  expect(content.current.groups.get('staff')).toEqual({
    id: 'staff',
    name: 'Staff',
    permissions: { skills: ['pdf'] },
  });
});

test('rejects updates of unknown or broken items and names the file', async () => {
  const { writer, directory } = await open({
    'apps/odd.json': { id: 'odd', name: 7 },
    'config/skills.json': '{',
  });
  const update = addSkill('pdf');
  await expect(writer.updateApp('chat', update)).rejects.toMatchObject({ code: 'not-found' });
  await expect(writer.updateApp('odd', update)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/contents\/apps\/odd\.json.*name/),
  });
  await expect(writer.updateSkillsConfig(update)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('contents/config/skills.json'),
  });
  await writeFile(join(directory, 'config/skills.json'), '{"skills": {"pdf": {"priority": "x"}}}');
  await expect(writer.updateSkillsConfig((raw) => raw)).rejects.toMatchObject({
    message: expect.stringContaining('skills.pdf.priority'),
  });
});

test('accepts a placeholder as id', async () => {
  const { writer, read } = await open(
    { 'apps/a.json': { id: '${KNOWHOW_ID}', name: 'A' } },
    { KNOWHOW_ID: 'chat' },
  );
  await writer.put('apps', 'chat', { config: { id: '${KNOWHOW_ID}', name: 'B' } });
  expect(await read('apps/a.json')).toEqual({ id: '${KNOWHOW_ID}', name: 'B' });
});

test('keeps the permissions of a file that only its owner may read', async () => {
  const { writer, directory } = await open({});
  const path = join(directory, 'models/m.json');
  await writeFiles(directory, { 'models/m.json': { id: 'm' } });

  await chmod(path, 0o600);
  await writer.put('models', 'm', { config: { modelId: 'm', name: 'M', provider: 'demo' } });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

const files = {
  'apps/chat.json': { id: 'chat', name: 'Chat' },
  'apps/other.json': { id: 'other', name: 'Other' },
  'config/groups.json': { groups: { staff: { id: 'staff', name: 'Staff' } } },
};

/** Adds a skill to the app, the group and the skills configuration. */
function addEverywhere({ updateApp, updateGroup, updateSkillsConfig }: ContentTransaction) {
  return Promise.all([
    updateApp('chat', addSkill('pdf')),
    updateGroup('staff', (raw) => ({ ...raw, permissions: { skills: ['pdf'] } })),
    updateSkillsConfig((raw) => ({ ...raw, skills: { pdf: { enabled: true } } })),
  ]);
}

test('sees its own changes in a transaction and writes all of them', async () => {
  const { writer, content, read } = await open(files);
  await writer.transaction(async (all) => {
    await addEverywhere(all);
    const again = await all.updateApp('chat', addSkill('csv'));
    expect(again.before).toMatchObject({ skills: ['pdf'] });
    expect(content.current.apps.get('chat')?.skills).toBeUndefined();
  });
  expect(content.current.apps.get('chat')?.skills).toEqual(['pdf', 'csv']);
  expect(await read('config/skills.json')).toEqual({ skills: { pdf: { enabled: true } } });
  expect(content.current.groups.get('staff')?.permissions?.skills).toEqual(['pdf']);
});

test('writes nothing if a transaction is rejected', async () => {
  const { writer, directory } = await open(files);
  const before = await readTree(directory);
  const refused = writer.transaction(async (all) => {
    await addEverywhere(all);
    await all.updateApp('nowhere', addSkill('pdf'));
  });
  await expect(refused).rejects.toMatchObject({ code: 'not-found' });
  expect(await readTree(directory)).toEqual(before);
});

test('rolls back a partial change of several files at the next start', async () => {
  const { directory, dataDirectory } = await open(files);
  const before = await readTree(directory);
  const changes = [
    { path: 'apps/chat.json', text: '{"id":"chat","name":"Half"}' },
    { path: 'apps/other.json', text: undefined },
    { path: 'config/skills.json', text: '{}' },
  ];
  for (const written of [0, 1, 2, 3]) {
    await writeRollbackJournal({ directory, dataDirectory }, changes);
    for (const { path, text } of changes.slice(0, written)) {
      await (text === undefined
        ? rm(join(directory, path))
        : writeFile(join(directory, path), text));
    }
    await rollBackCommit({ directory, dataDirectory });
    expect(await readTree(directory)).toEqual(before);
    expect(await readdir(dataDirectory)).toEqual([]);
  }
});
