import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import type { SkillFolderEdit } from '@knowhow/shared/skills/skill-folder-edits';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, onTestFinished, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { type Files, temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

const reviewed = { 'config/skills.json': { settings: { publishing: { files: 'review' } } } };

/** A server on a folder that reviews edits of skills, once what it has at first is published. */
async function start(files: Files = {}, given?: string) {
  const folder = given ?? (await temporaryFolder());
  if (given === undefined) {
    await writeFiles(join(folder, 'contents'), { ...defaultFiles, ...reviewed, ...files });
  }
  const server = await startTestServer({ folder });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  await waitFor(async () => (await readStatus(admin)).publishing.files === 'review');
  return { server, admin, folder, skills: join(folder, 'contents/skills'), ...doors(admin) };
}

async function readStatus(admin: Visitor) {
  return (await (await admin('/api/admin/status')).json()) as { publishing: { files: string } };
}

function doors(admin: Visitor) {
  const drafts = '/api/skill-drafts';
  return {
    draft: async (name: string) => {
      const answer = await admin(`${drafts}/${name}?contents=false`);
      return answer.status === 200
        ? skillDraftsApi.get.response.parse(await answer.json())
        : undefined;
    },
    read: async (name: string, path = 'SKILL.md') =>
      (await admin(`/api/admin/skills/${name}/files/${path}`)).text(),
    description: async (name: string) => {
      const answer = await admin(`/api/admin/skills/${name}`);
      return ((await answer.json()) as { description?: string }).description;
    },
    edit: async (name: string) => {
      const answer = await admin(`/api/admin/skills/${name}/folder-edit`);
      return ((await answer.json()) as { edit?: SkillFolderEdit }).edit;
    },
    versions: async (name: string) =>
      (await parseAnswer(skillVersionsApi.list.response, admin(`/api/skill-versions/${name}`)))
        .items,
    publish: async (name: string) => {
      const submitted = await admin(`${drafts}/${name}/submit`, {
        json: { message: 'Publish it.' },
      });
      expect(submitted.status, await submitted.clone().text()).toBe(201);
      const { id } = (await submitted.json()) as { id: string };
      const approved = await admin(`/api/skill-reviews/${id}/approve`, { json: {} });
      expect(approved.status, await approved.clone().text()).toBe(200);
    },
  };
}

const told = (description: string, body = 'Do it.') =>
  skillFile('meeting-notes', description, body);

test('an edit in the folder becomes a draft, and everyone gets what is published until it is approved', async () => {
  const { admin, skills, draft, read, description, edit, versions, publish } = await start();
  await writeFile(join(skills, 'meeting-notes/references/format.md'), 'Two a line.\n');
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Changed by hand.'));
  const drafted = async (path: string) =>
    (await admin(`/api/skill-drafts/meeting-notes/files/${path}`)).text();
  await waitFor(async () => (await drafted('SKILL.md')).includes('Changed by hand.'));
  await waitFor(async () => (await drafted('references/format.md')) === 'Two a line.\n');
  expect((await draft('meeting-notes'))?.authors).toEqual(['File system']);
  await waitFor(async () => (await edit('meeting-notes')) !== undefined);

  expect(await description('meeting-notes')).toBe('Turns notes into decisions.');
  expect(await read('meeting-notes', 'references/format.md')).toBe('One decision a line.\n');
  const shown = (await (await admin('/api/skills/meeting-notes')).json()) as {
    description: string;
  };
  expect(shown.description).toBe('Turns notes into decisions.');
  const faults = await (await admin('/api/admin/faults')).text();
  expect(faults).toContain('holds changes that are not published');

  await publish('meeting-notes');
  expect(await description('meeting-notes')).toBe('Changed by hand.');
  await waitFor(
    async () => (await read('meeting-notes', 'references/format.md')) === 'Two a line.\n',
  );
  await waitFor(async () => (await edit('meeting-notes')) === undefined);
  expect(await draft('meeting-notes')).toBeUndefined();
  expect((await versions('meeting-notes')).map(({ action }) => action)).toEqual([
    'published',
    'found',
  ]);
});

test('an edit while the server is stopped never counts, and is not lost', async () => {
  const { server, folder, skills } = await start();
  await server.close();
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Changed while stopped.'));
  await writeFiles(skills, { 'brand-new/SKILL.md': skillFile('brand-new', 'Is new.') });
  await rm(join(skills, 'release-notes'), { recursive: true });

  const again = await start({}, folder);
  expect(await again.description('meeting-notes')).toBe('Turns notes into decisions.');
  expect(await again.description('release-notes')).toBe('Writes release notes.');
  expect((await again.admin('/api/admin/skills/brand-new')).status).toBe(404);
  await waitFor(async () => (await again.draft('brand-new')) !== undefined);
  await waitFor(async () => (await again.draft('meeting-notes')) !== undefined);
  await waitFor(async () => (await again.edit('release-notes')) !== undefined);
  expect(await again.draft('release-notes')).toBeUndefined();
  await again.publish('brand-new');
  expect(await again.description('brand-new')).toBe('Is new.');
});

test('a discarded edit leaves the folder as it is published', async () => {
  const { admin, skills, draft, edit } = await start();
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Changed by hand.'));
  await waitFor(async () => (await edit('meeting-notes')) !== undefined);
  await waitFor(async () => (await draft('meeting-notes')) !== undefined);
  const path = '/api/admin/skills/meeting-notes/folder-edit';
  const old = await admin(path, { method: 'DELETE', headers: { 'If-Match': '"other"' } });
  expect(old.status).toBe(412);
  const { checksum } = (await edit('meeting-notes')) ?? {};
  const headers = { 'If-Match': `"${checksum}"` };
  expect((await admin(path, { method: 'DELETE', headers })).status).toBe(200);
  expect(await readFile(join(skills, 'meeting-notes/SKILL.md'), 'utf8')).toContain(
    'Turns notes into decisions.',
  );
  expect(await draft('meeting-notes')).toBeUndefined();
  expect(await edit('meeting-notes')).toBeUndefined();
});

test("a person's draft is not overwritten: the edit waits, and becomes the next draft", async () => {
  const { admin, skills, draft, edit, publish } = await start();
  const put = await admin('/api/skill-drafts/meeting-notes/files/SKILL.md', {
    method: 'PUT',
    body: told('Written on the page.'),
  });
  expect(put.status).toBe(200);
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Changed by hand.'));
  await waitFor(async () => (await edit('meeting-notes')) !== undefined);
  expect((await draft('meeting-notes'))?.authors).not.toContain('File system');
  await publish('meeting-notes');
  await waitFor(async () => (await draft('meeting-notes'))?.authors.join() === 'File system');
  const text = await (await admin('/api/skill-drafts/meeting-notes/files/SKILL.md')).text();
  expect(text).toContain('Changed by hand.');
  expect(await readFile(join(skills, 'meeting-notes/SKILL.md'), 'utf8')).toContain('on the page');
});

test('what the server writes is published, not an edit', async () => {
  const { admin, skills, draft, edit, description, read } = await start();
  const created = await admin('/api/admin/skills', {
    json: { name: 'told', description: 'Is told.', body: 'One.\n' },
  });
  expect(created.status).toBe(201);
  const written = await admin('/api/admin/skills/told/files/a.md', { method: 'PUT', body: 'A.' });
  expect(written.status).toBe(200);
  expect(await read('told', 'a.md')).toBe('A.');
  await writeFile(join(skills, 'told/a.md'), 'Changed by hand.');
  await waitFor(async () => (await edit('told')) !== undefined);
  const second = await admin('/api/admin/skills/told/files/b.md', { method: 'PUT', body: 'B.' });
  expect(second.status).toBe(200);
  expect(await read('told', 'a.md')).toBe('A.');
  expect(await readFile(join(skills, 'told/a.md'), 'utf8')).toBe('A.');
  await waitFor(async () => (await draft('told')) !== undefined);
  const kept = await (await admin('/api/skill-drafts/told/files/a.md')).text();
  expect(kept).toBe('Changed by hand.');
  expect((await admin('/api/admin/skills/told', { method: 'DELETE' })).status).toBe(200);
  expect(await description('told')).toBeUndefined();
});

test('a renamed folder stays published under its old name, and is a draft under the new one', async () => {
  const { skills, draft, description, edit } = await start();
  await rename(join(skills, 'release-notes'), join(skills, 'change-log'));
  await waitFor(async () => (await draft('change-log')) !== undefined);
  await waitFor(async () => (await edit('release-notes')) !== undefined);
  expect(await description('release-notes')).toBe('Writes release notes.');
});

test('switching the review off publishes nothing: edits stay drafts', async () => {
  const { admin, skills, draft, description, edit } = await start();
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Changed by hand.'));
  await waitFor(async () => (await edit('meeting-notes')) !== undefined);
  const off = { publishing: { files: 'direct' } };
  expect((await admin('/api/admin/settings/skills', { method: 'PUT', json: off })).status).toBe(
    200,
  );
  await waitFor(async () => (await readStatus(admin)).publishing.files === 'direct');
  expect(await description('meeting-notes')).toBe('Turns notes into decisions.');
  expect(await draft('meeting-notes')).toBeDefined();
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Counts at once.'));
  await waitFor(async () => (await description('meeting-notes')) === 'Counts at once.');
});

test('a restore of a backup from before the review publishes what it restores', async () => {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), defaultFiles);
  const former = await startTestServer({ folder });
  const zip = await exportBackup(await signInAdmin(former));
  await former.close();

  const { admin, skills, description } = await start({
    'skills/meeting-notes/SKILL.md': told('Written later.'),
  });
  await writeFiles(skills, { 'brand-new/SKILL.md': skillFile('brand-new', 'Is new.') });
  expect((await importBackup(admin, zip)).restored).toBe(true);
  await waitFor(async () => (await readStatus(admin)).publishing.files === 'direct');
  expect(await description('meeting-notes')).toBe('Turns notes into decisions.');
  expect(await readFile(join(skills, 'meeting-notes/SKILL.md'), 'utf8')).toContain(
    'Turns notes into decisions.',
  );
});

test('an edit whose draft was discarded is a draft again before the server overwrites it', async () => {
  const { admin, skills, draft, edit } = await start();
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Changed by hand.'));
  await waitFor(async () => (await draft('meeting-notes')) !== undefined);
  await waitFor(async () => (await edit('meeting-notes'))?.isDrafted === true);
  const discarded = await admin('/api/skill-drafts/meeting-notes', { method: 'DELETE' });
  expect(discarded.status, await discarded.clone().text()).toBe(200);
  expect((await edit('meeting-notes'))?.isDrafted).toBe(false);
  const file = '/api/admin/skills/meeting-notes/files/a.md';
  expect((await admin(file, { method: 'PUT', body: 'A.' })).status).toBe(200);
  const text = await admin('/api/skill-drafts/meeting-notes/files/SKILL.md');
  expect(await text.text()).toContain('Changed by hand.');
});

test('an edit that waits can be discarded while the folder holds another, which is kept', async () => {
  const { admin, skills, draft, edit } = await start();
  const draftFile = '/api/skill-drafts/meeting-notes/files/SKILL.md';
  const begun = await admin(draftFile, { method: 'PUT', body: told('Written on the page.') });
  expect(begun.status).toBe(200);
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('First edit.'));
  await waitFor(async () => (await edit('meeting-notes')) !== undefined);
  const file = '/api/admin/skills/meeting-notes/files/a.md';
  expect((await admin(file, { method: 'PUT', body: 'A.' })).status).toBe(200);
  const first = await edit('meeting-notes');
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Second edit.'));
  const path = '/api/admin/skills/meeting-notes/folder-edit';
  const headers = { 'If-Match': `"${first?.checksum}"` };
  const removed = await admin(path, { method: 'DELETE', headers });
  expect(removed.status, await removed.clone().text()).toBe(200);
  const second = await edit('meeting-notes');
  expect(second?.checksum).not.toBe(first?.checksum);
  expect(second?.isOverwritten).toBe(false);
  expect((await draft('meeting-notes'))?.authors).not.toContain('File system');
  expect(await readFile(join(skills, 'meeting-notes/SKILL.md'), 'utf8')).toContain('Second edit.');
});

test('a folder that cannot become a draft stops switching the review off, until it is moved away', async () => {
  const { admin, skills } = await start();
  await writeFiles(skills, {
    'check-name/SKILL.md': skillFile('check-name', 'Has a reserved name.'),
  });
  const faults = async () => (await admin('/api/admin/faults')).text();
  await waitFor(async () => (await faults()).includes('cannot become a draft'));
  const off = { publishing: { files: 'direct' } };
  expect((await admin('/api/admin/settings/skills', { method: 'PUT', json: off })).status).toBe(
    200,
  );
  await waitFor(async () => (await faults()).includes('Edits of skill folders are still reviewed'));
  expect((await readStatus(admin)).publishing.files).toBe('review');
  await rm(join(skills, 'check-name'), { recursive: true });
  // It is tried again from time to time.
  await waitFor(async () => (await readStatus(admin)).publishing.files === 'direct');
  expect(await faults()).not.toContain('still reviewed');
});

test('authors of another category see and discard no edit of a new skill', async () => {
  const { server, admin, skills, draft, edit } = await start({
    'config/groups.json': {
      groups: {
        admins: { id: 'admins', name: 'Admins', permissions: { skills: ['*'], adminAccess: true } },
        hr: { id: 'hr', name: 'HR', permissions: { skillRights: { author: ['HR'] } } },
        law: { id: 'law', name: 'Law', permissions: { skillRights: { author: ['Law'] } } },
      },
    },
  });
  const person = async (username: string) =>
    (await signInNew(server, admin, { username, groups: [username] })).visitor;
  const [hr, law] = [await person('hr'), await person('law')];
  const text = skillFile('contract', 'Is about the law.').replace('\n---', '\ncategory: Law\n---');
  await writeFiles(skills, { 'contract/SKILL.md': text });
  await waitFor(async () => (await draft('contract')) !== undefined);
  await waitFor(async () => (await edit('contract')) !== undefined);
  expect((await admin('/api/skill-drafts/contract', { method: 'DELETE' })).status).toBe(200);
  const path = '/api/admin/skills/contract/folder-edit';
  expect(await (await hr(path)).json()).toEqual({ name: 'contract' });
  expect((await hr(path, { method: 'DELETE' })).status).toBe(404);
  expect(await (await law(path)).json()).toHaveProperty('edit');
  expect((await law(path, { method: 'DELETE' })).status).toBe(200);
});

test('a skill whose main file is skill.md is published with its instructions', async () => {
  const { admin } = await start({
    'skills/lower/skill.md': skillFile('lower', 'Is low.', 'Sing it.'),
  });
  const answer = await admin('/api/admin/skills/lower');
  const shown = (await answer.json()) as { description: string; tokens: { body: number } };
  expect(shown.description).toBe('Is low.');
  expect(shown.tokens.body).toBeGreaterThan(0);
});

test('a changed skill of a plugin gets a version while folders are reviewed', async () => {
  const { folder, description } = await start({
    'plugins/tools/skills/sums/SKILL.md': skillFile('sums', 'Adds.'),
  });
  await waitFor(async () => (await description('sums')) === 'Adds.');
  const file = join(folder, 'contents/plugins/tools/skills/sums/SKILL.md');
  await writeFile(file, skillFile('sums', 'Adds and subtracts.'));
  const database = await openTestDatabase(join(folder, 'data'));
  onTestFinished(() => database.destroy());
  // The list of versions on the page would record the change itself.
  await waitFor(async () => {
    const found = await database
      .selectFrom('skill_versions')
      .innerJoin('skills', 'skills.id', 'skill_versions.skill')
      .where('skills.name', '=', 'sums')
      .select('number')
      .execute();
    return found.length > 0;
  });
});

test('a disk that vanishes is no removal of the skills on it', async () => {
  const { admin, skills, draft, description, edit } = await start();
  const path = '/api/admin/skills/meeting-notes/folder-edit';
  await rename(skills, `${skills}-away`);
  // Compares the folder at once, before its disappearance is noticed.
  expect((await admin(path, { method: 'DELETE' })).status).toBe(404);
  expect(await (await admin('/api/admin/faults')).text()).not.toContain('was removed');
  await rename(`${skills}-away`, skills);
  await writeFile(join(skills, 'meeting-notes/SKILL.md'), told('Changed by hand.'));
  await waitFor(async () => (await draft('meeting-notes')) !== undefined);
  expect(await edit('release-notes')).toBeUndefined();
  expect(await draft('release-notes')).toBeUndefined();
  expect(await description('release-notes')).toBe('Writes release notes.');
});

test('of two folders with one name, the first counts, and the other is reported', async () => {
  const { admin, skills, draft, description, edit, read } = await start({
    'skills/a/same/SKILL.md': skillFile('same', 'Is the first.'),
    'skills/b/same/SKILL.md': skillFile('same', 'Is the second.'),
  });
  expect(await description('same')).toBe('Is the first.');
  const faults = async () => (await admin('/api/admin/faults')).text();
  expect(await faults()).toContain('folder \\"a/same\\" has a skill of the same name.');
  await rm(join(skills, 'a/same'), { recursive: true });
  await waitFor(async () => (await draft('same')) !== undefined);
  expect(await (await admin('/api/skill-drafts/same/files/SKILL.md')).text()).toContain('second');
  expect(await read('same')).toContain('Is the first.');
  expect(await edit('same')).toBeDefined();
  expect(await faults()).not.toContain('of the same name');
});

test('edits of 30 folders at once become drafts', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `skill-${at}`);
  const files = (word: string) =>
    Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillFile(name, word)]));
  const before = Object.entries(files('Is old.'));
  const { skills, draft, description } = await start(
    Object.fromEntries(before.map(([path, text]) => [`skills/${path}`, text])),
  );
  await writeFiles(skills, files('Is new.'));
  await waitFor(async () => {
    const states = await Promise.all(['skill-0', 'skill-15', 'skill-29'].map(draft));
    return states.every((found) => found !== undefined);
  });
  expect(await description('skill-15')).toBe('Is old.');
});
