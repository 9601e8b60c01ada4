import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { libraryApi } from '@knowhow/shared/skills/library';
import { mySkillsApi } from '@knowhow/shared/skills/personal-skills';
import { localizeSkill } from '@knowhow/shared/skills/skill-translations';
import { skillsApi } from '@knowhow/shared/skills/skills';
import { expect, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const chat = scriptedChat();

function skill(name: string, description: string, ...metadata: string[]): string {
  const lines = metadata.map((line) => `  ${line}\n`).join('');
  return skillFile(name, description).replace('---\n\n', `metadata:\n${lines}---\n\n`);
}

const files = {
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'skills/receipts/SKILL.md': skill(
    'receipts',
    'Files receipts.',
    'display-name: Receipts',
    'title.de: Belege ablegen',
    'description.de: Legt Spesenbelege ab.',
    'description.pt: Arquiva recibos.',
  ),
  'skills/anvils/SKILL.md': skill('anvils', 'Forges anvils.', 'title.de: Zangen'),
  'skills/broken/SKILL.md': skill('broken', 'Has odd tags.', 'title.de_DE: Falsch', 'title.: X'),
};

const list = (visitor: Visitor, query = '', path: '/api/skills' | '/api/library' = '/api/skills') =>
  parseAnswer(skillsApi.list.response, visitor(`${path}${query}`));
const namesOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ name }) => name);

async function seen(visitor: Visitor, name: string, language: string) {
  const { items } = await list(visitor);
  const found = items.find((each) => each.name === name);
  return found && localizeSkill(found, language);
}

test.each([
  ['de', { title: 'Belege ablegen', description: 'Legt Spesenbelege ab.' }],
  ['de-AT', { title: 'Belege ablegen', description: 'Legt Spesenbelege ab.' }],
  ['pt-BR', { title: 'Receipts', description: 'Arquiva recibos.' }],
  ['ja', { title: 'Receipts', description: 'Files receipts.' }],
  ['constructor', { title: 'Receipts', description: 'Files receipts.' }],
])('a user who reads %s gets the texts in that language, or the original', async (tag, texts) => {
  await chat.start([], files);
  expect(await seen(chat.visitor, 'receipts', tag)).toEqual(texts);
});

test('the library, the page of a skill and the favourites have the translations', async () => {
  await chat.start([], files);
  const admin = await signInAdmin(chat.server);
  const translations = { title: { de: 'Zangen' }, description: {} };
  const page = await parseAnswer(libraryApi.get.response, admin('/api/library/anvils'));
  expect(page.translations).toEqual(translations);
  const { items } = await list(admin, '?order=name', '/api/library');
  expect(items.find(({ name }) => name === 'anvils')?.translations).toEqual(translations);
  expect(items.find(({ name }) => name === 'broken')?.translations).toBeUndefined();
});

test('the library is sorted by the titles that the user reads', async () => {
  await chat.start([], files);
  const inLanguage = async (language: string) =>
    namesOf(
      await parseAnswer(
        libraryApi.list.response,
        chat.visitor('/api/library?order=name', { headers: { 'accept-language': language } }),
      ),
    ).filter((name) => ['anvils', 'receipts'].includes(name));
  expect(await inLanguage('en')).toEqual(['anvils', 'receipts']);
  expect(await inLanguage('de')).toEqual(['receipts', 'anvils']);
});

test('palette and library find a skill by a word of a translation', async () => {
  await chat.start([], files);
  expect(namesOf(await list(chat.visitor, '?query=Spesenbelege'))).toEqual(['receipts']);
  expect(namesOf(await list(chat.visitor, '?query=Belege'))).toEqual(['receipts']);
  expect(namesOf(await list(chat.visitor, '?query=recibos', '/api/library'))).toEqual(['receipts']);
});

test('the search of the model finds a skill by a word of a translation, and shows the original', async () => {
  const search = calls(['search_skills', { query: 'Spesenbelege' }]);
  await chat.start(({ messages }) => (messages.at(-1)?.role === 'tool' ? says('Done.') : search), {
    ...files,
    'apps/chat.json': { ...files['apps/chat.json'], skillSettings: { discoveryMode: 'search' } },
  });
  let found = '';
  await waitFor(async () => {
    await takeTurn(chat.visitor, { app: 'chat', message: 'Go' });
    found = chat.model.requests.at(-1)?.messages.at(-1)?.content ?? '';
    return found.includes('Files receipts.');
  });
  expect(found).not.toContain('Spesenbelege');
  expect(found).not.toContain('Forges anvils.');
});

test('the model gets the original, whatever language the user reads', async () => {
  await chat.start([calls(['activate_skill', { skill_name: 'receipts' }]), says('Done.')], files);
  await takeTurn(chat.visitor, { app: 'chat', message: 'Lege die Belege ab' });
  expect(chat.model.requests).toHaveLength(2);
  for (const request of chat.model.requests) {
    const sent = JSON.stringify(request);
    expect(sent).toContain('Files receipts.');
    expect(sent).not.toContain('Spesenbelege');
    expect(sent).not.toContain('Belege ablegen');
  }
});

test('an override of an administrator replaces the text in all languages', async () => {
  await chat.start([], {
    ...files,
    'config/skills.json': { skills: { receipts: { overrides: { displayName: 'Bills' } } } },
  });
  expect(await seen(chat.visitor, 'receipts', 'de')).toEqual({
    title: 'Bills',
    description: 'Legt Spesenbelege ab.',
  });
});

test('invalid tags are warnings on the page of the skill', async () => {
  await chat.start([], files);
  const admin = await signInAdmin(chat.server);
  const { diagnostics, status } = await parseAnswer(
    adminSkillDetailSchema,
    admin('/api/admin/skills/broken'),
  );
  expect(status).toBe('on');
  expect(diagnostics).toMatchObject([
    { code: 'translation-tag-invalid', severity: 'warning', line: 4 },
  ]);
});

const translations = { title: { de: 'Ambosse', fr: '' }, description: { de: 'Schmiedet.\nGut.' } };

test('an administrator edits the translations of a skill, and the rest of the file stays', async () => {
  await chat.start([], files);
  const admin = await signInAdmin(chat.server);
  const edit = (json: object) => admin('/api/admin/skills/anvils/fields', { method: 'PUT', json });
  const saved = await parseAnswer(adminSkillDetailSchema, edit({ translations }));
  expect(saved.translations).toEqual({
    title: { de: 'Ambosse' },
    description: { de: 'Schmiedet.\nGut.' },
  });
  expect(saved).toMatchObject({ description: 'Forges anvils.', diagnostics: [] });
  await edit({ translations: { title: {}, description: {} } });
  const file = await admin('/api/admin/skills/anvils/files/SKILL.md');
  expect(await file.text()).toBe(skillFile('anvils', 'Forges anvils.'));
});

test.each([
  ['an invalid tag', { title: { de_DE: 'x' }, description: {} }],
  ['a tag that is not canonical', { title: { DE: 'x' }, description: {} }],
  ['two lines in a title', { title: { de: 'a\nb' }, description: {} }],
  ['a title that is too long', { title: { de: 'x'.repeat(201) }, description: {} }],
  ['a number', { title: { de: 1 }, description: {} }],
  ['no description', { title: { de: 'x' } }],
])('%s is refused, and the file stays', async (_, wrong) => {
  await chat.start([], files);
  const admin = await signInAdmin(chat.server);
  const answer = await admin('/api/admin/skills/anvils/fields', {
    method: 'PUT',
    json: { translations: wrong },
  });
  expect((await parseProblem(answer)).code).toBe('invalid-request');
  expect(await seen(admin, 'anvils', 'de')).toMatchObject({ title: 'Zangen' });
});

test('a user translates an own skill, finds it by the translation, and keeps it when the texts change', async () => {
  await chat.start([], {
    ...files,
    'config/groups.json': {
      groups: {
        ...defaultFiles['config/groups.json'].groups,
        admins: {
          id: 'admins',
          name: 'Admins',
          permissions: {
            apps: ['*'],
            models: ['*'],
            skills: ['*'],
            personalSkills: 'private',
            adminAccess: true,
          },
        },
      },
    },
  });
  const admin = await signInAdmin(chat.server);
  const content = { description: 'Bills clients.', instructions: 'Name the client.' };
  const created = await parseAnswer(
    mySkillsApi.create.response,
    admin('/api/my/skills', { json: { ...content, name: 'bills', translations } }),
  );
  expect(created.translations).toEqual({
    title: { de: 'Ambosse' },
    description: { de: 'Schmiedet.\nGut.' },
  });
  expect(namesOf(await list(admin, '?query=Schmiedet'))).toEqual([created.id]);
  const changed = await parseAnswer(
    mySkillsApi.put.response,
    admin('/api/my/skills/bills', { method: 'PUT', json: content }),
  );
  expect(changed.translations).toEqual(created.translations);
});
