import { join } from 'node:path';
import { api } from '@knowhow/shared/api';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { archiveReportSchema, installedSchema } from '@knowhow/shared/skills/skill-archives';
import { expect, onTestFinished, test } from 'vitest';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, startTestServer } from '../../../testing/start-test-server.ts';
import { postArchive } from '../../../testing/upload-archive.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

const systemFiles = [
  ...['.DS_Store', '._SKILL.md', 'Thumbs.db', 'desktop.ini', 'ehthumbs.db', '.directory'],
  ...['~$plan.docx', '.~lock.plan.odt#', '~WRL0001.tmp', 'SKILL.md~', '#SKILL.md#', '.#SKILL.md'],
  ...['.SKILL.md.swp', '.swp', 'notes.swp', '.notes.md.swo', '.ds_store', 'THUMBS.DB'],
];
const systemFolders = ['__MACOSX', '.AppleDouble', '.Trashes', '.fseventsd', '$RECYCLE.BIN'];
const toolFolders = [
  ...['.git', '.svn', '.hg', '.bzr', '.jj', 'node_modules', '.venv'],
  ...['__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache'],
];
const kept = ['SKILL.md', '.gitignore', 'build/git.md', 'data.tmp', 'references/.swpx', 'x~y.md'];

/** A skill with each of those names, at its root and below. */
const files = Object.fromEntries([
  ...kept.map((path) => [`notes/${path}`, 'text']),
  ...systemFiles.flatMap((name) => [
    [`notes/${name}`, 'x'],
    [`notes/references/${name}`, 'x'],
  ]),
  ...[...systemFolders, ...toolFolders].flatMap((name) => [
    [`notes/${name}/a/SKILL.md`, skillFile('inner', 'Is never seen.')],
    [`notes/${name}/b.md`, 'x'],
  ]),
  ['notes/SKILL.md', skillFile('notes', 'Takes notes.')],
]);

test('reports what an import skips, how many files, and why', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const admin = await signInAdmin(server);
  const more = {
    'docs/a.md': 'a',
    'docs/b.md': 'b',
    ...Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`page-${at}.md`, 'p'])),
  };
  const zip = createTextZip({ ...files, ...more });
  const dryRun = postArchive(admin, 'validate', zip, 'application/zip');
  const { skills, leftOut } = await parseAnswer(archiveReportSchema, dryRun);
  expect(skills.map(({ name }) => name)).toEqual(['notes']);
  expect(skills[0]?.files.map(({ path }) => path).sort()).toEqual([...kept].sort());
  for (const name of systemFiles) {
    expect(leftOut).toContainEqual({ path: `notes/${name}`, files: 1, why: 'system-file' });
  }
  for (const name of systemFolders) {
    expect(leftOut).toContainEqual({ path: `notes/${name}/`, files: 2, why: 'system-file' });
  }
  for (const name of toolFolders) {
    expect(leftOut).toContainEqual({ path: `notes/${name}/`, files: 2, why: 'tool-folder' });
  }
  expect(leftOut).toContainEqual({ path: 'docs/', files: 2, why: 'no-skill' });
  expect(leftOut.length).toBeLessThanOrEqual(105);
  const named = leftOut.filter(({ path }) => path?.startsWith('page-')).length;
  expect(leftOut.at(-1)).toEqual({ files: 150 - named, why: 'no-skill' });
  const imported = postArchive(admin, 'import', zip, 'application/zip');
  expect((await parseAnswer(installedSchema, imported)).leftOut).toEqual(leftOut);
});

test('shows none of them in the list of skills and of files', async () => {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), defaultFiles);
  await writeFiles(join(folder, 'contents/skills'), files);
  const server = await startTestServer({ folder });
  onTestFinished(() => server.close());
  const admin = await signInAdmin(server);
  const { items } = await parseAnswer(adminSkillsApi.list.response, admin('/api/admin/skills'));
  expect(items.map(({ name }) => name)).not.toContain('inner');
  const page = admin('/api/skills/notes');
  const detail = await parseAnswer(api.skills.get.response, page);
  expect(detail.files.map(({ path }) => path).sort()).toEqual(
    kept.filter((path) => path !== 'SKILL.md').sort(),
  );
});
