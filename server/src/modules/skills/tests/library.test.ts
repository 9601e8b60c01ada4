import { libraryApi } from '@knowhow/shared/skills/library';
import { expect, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, type Visitor } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();

function skill(name: string, category: string): string {
  return skillFile(name, `Knows ${name}.`, 'Do it.').replace(
    '---\n\n',
    `metadata:\n  category: ${category}\n---\n\n`,
  );
}

const evals = [
  { query: 'Turn this into minutes', should_trigger: true },
  { query: 'What is the weather?', should_trigger: false },
  { query: 'x'.repeat(301), should_trigger: true },
  { query: 'Send \u202eit\u0000', should_trigger: true },
];
const files = {
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'skills/contracts/SKILL.md': skill('contracts', 'Law'),
  'skills/invoices/SKILL.md': skill('invoices', 'Finance'),
  'skills/invoices/evals/evals.json': JSON.stringify(evals),
  'skills/payroll/SKILL.md': skill('payroll', 'Finance'),
};

const list = (visitor: Visitor, query = '') =>
  parseAnswer(libraryApi.list.response, visitor(`/api/library${query}`));
const get = (visitor: Visitor, name: string) =>
  parseAnswer(libraryApi.get.response, visitor(`/api/library/${name}`));
const namesOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ name }) => name);

test('the library lists what a user may use, most used first, and counts categories', async () => {
  await chat.start([says('Done.'), says('Done.'), says('Done.')], files);
  const admin = await signInAdmin(chat.server);
  await takeTurn(admin, { app: 'chat', message: 'Go', skills: ['payroll'] });
  await takeTurn(admin, { app: 'chat', message: 'Go', skills: ['payroll'] });
  await takeTurn(admin, { app: 'chat', message: 'Go', skills: ['invoices'] });
  const all = await list(admin);
  expect(namesOf(all).slice(0, 3)).toEqual(['payroll', 'invoices', 'contracts']);
  expect(all.items[0]).toMatchObject({ uses: 2, category: 'Finance' });
  expect(all.categories).toEqual([
    { name: 'Finance', skills: 2 },
    { name: 'Law', skills: 1 },
  ]);
  expect(namesOf(await list(admin, '?category=Finance'))).toEqual(['payroll', 'invoices']);
  expect(namesOf(await list(admin, '?category=Finance&order=name'))).toEqual([
    'invoices',
    'payroll',
  ]);
  expect(namesOf(await list(admin, '?query=contract'))).toEqual(['contracts']);
  expect(namesOf(await list(admin, '?query=contract&category=Finance'))).toEqual([]);
});

test('the newest version comes first, with its number and time', async () => {
  await chat.start([], files);
  const admin = await signInAdmin(chat.server);
  const body = skill('contracts', 'Law').replace('Do it.', 'Do it now.');
  await admin('/api/admin/skills/contracts/files/SKILL.md', { method: 'PUT', body });
  const [newest] = (await list(admin, '?order=newest')).items;
  expect(newest).toMatchObject({ name: 'contracts', published: { number: 2 } });
  expect(Date.parse(newest?.published?.at ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('a skill in the library has examples that its author wrote, without those for other skills', async () => {
  await chat.start([], files);
  const admin = await signInAdmin(chat.server);
  expect(await get(admin, 'invoices')).toMatchObject({
    description: 'Knows invoices.',
    apps: ['chat'],
    examples: ['Turn this into minutes'],
    uses: 0,
  });
  expect((await get(admin, 'payroll')).examples).toEqual([]);
});

test('skills of other groups, blocked ones and unknown ones are not in the library', async () => {
  await chat.start([], {
    ...files,
    'config/groups.json': {
      groups: {
        anonymous: {
          ...defaultFiles['config/groups.json'].groups.anonymous,
          permissions: { apps: ['*'], models: ['*'], skills: ['invoices', 'payroll'] },
        },
      },
    },
    'config/skills.json': { blocked: { payroll: { reason: 'Wrong.' } } },
  });
  const guest = chat.server.visitor();
  const seen = await list(guest);
  expect({ names: namesOf(seen), categories: seen.categories }).toEqual({
    names: ['invoices'],
    categories: [{ name: 'Finance', skills: 1 }],
  });
  for (const name of ['contracts', 'payroll', 'none', '..%2f..%2fetc']) {
    expect((await guest(`/api/library/${name}`)).status).toBe(404);
  }
});

test.each(['?order=worst', '?cursor=abc', '?limit=0', `?query=${'x'.repeat(201)}`])(
  'a wrong query of the library is a clear problem: %s',
  async (query) => {
    await chat.start([], files);
    const answer = await chat.server.visitor()(`/api/library${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid-request' });
  },
);
