import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { whenRanked } from '../../../testing/when-ranked.ts';
import { type Files, writeFiles } from '../../../testing/write-files.ts';
import type { ModelRequest } from '../../models/model.ts';

const subjects = ['invoices', 'meetings', 'letters', 'servers', 'budgets', 'photos'];
const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, at) => {
    const name = `team-${at}-${subjects[at % 6]}`;
    const description = `Looks after the ${subjects[at % 6]} of team ${at}, as agreed with them. Use it for all that team ${at} wants done.`;
    return [`skills/${name}/SKILL.md`, skillFile(name, description)];
  }),
);
const tables = 'Extracts tables from PDF files as CSV.';
const everything = { apps: ['*'], models: ['*'], prompts: ['*'], skills: ['*'] };
const app = (id: string, skillSettings: unknown, skills = ['*']) => ({
  [`apps/${id}.json`]: { id, name: id, description: 'For zeppelins', skills, skillSettings },
});
const files: Files = {
  ...many,
  'skills/pdf-tables/SKILL.md': skillFile('pdf-tables', tables),
  'skills/zeppelins/SKILL.md': skillFile('zeppelins', 'Steers a zeppelin.', 'Mind the hydrogen.'),
  'skills/hidden-tables/SKILL.md': skillFile('hidden-tables', `${tables} Nobody may see it.`),
  'skills/by-hand/SKILL.md':
    '---\nname: by-hand\ndescription: Tables of PDF files by hand.\ndisable-model-invocation: true\n---\nBy hand.',
  'skills/sorted/SKILL.md':
    '---\nname: sorted\ndescription: Sorts.\ncategory: Order\n---\nSorts things.',
  'config/skills.json': { settings: { catalogTokenBudget: 600 } },
  'config/groups.json': {
    groups: {
      anonymous: {
        id: 'anonymous',
        name: 'Anonymous',
        permissions: {
          ...everything,
          skills: [
            ...Object.keys(many).map((path) => path.split('/')[1] ?? ''),
            ...['pdf-tables', 'zeppelins', 'by-hand', 'sorted'],
          ],
        },
      },
      admins: { id: 'admins', name: 'Admins', permissions: { ...everything, adminAccess: true } },
    },
  },
  ...app('chat', {}),
  ...app('search', { discoveryMode: 'search' }),
  ...app('catalog', { discoveryMode: 'catalog' }),
  ...app('small', {}, ['pdf-tables', 'sorted']),
  'models/plain.json': {
    ...{ id: 'plain', modelId: 'plain', name: 'Plain', provider: 'local', supportsTools: false },
  },
};
const chat = scriptedChat(files);

/** Starts with these steps, and waits until the skills are indexed. */
async function start(...script: ReturnType<typeof says>[]) {
  await chat.start(script);
  await whenRanked(chat, 'zeppelins');
}

const namesIn = (text = '') => [...text.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name);
const toolsOf = ({ tools }: ModelRequest) => tools?.map(({ name }) => name);
const listing = ['search_skills', 'list_skills'];

test('of too many skills those matching the first message are listed in full, and the others can be searched', async () => {
  await start(says('Hello.'));
  const message = 'Extract the tables from a PDF file';
  const { conversationId } = await takeTurn(chat.visitor, { message });
  const [request] = chat.model.requests;
  const names = namesIn(request?.system);
  expect(names[0]).toBe('pdf-tables');
  expect(request?.system).toContain(`<description>${tables}</description>`);
  expect(request?.system?.match(/<description>/g)).toHaveLength(names.length);
  expect(names.length).toBeLessThan(20);
  expect(request?.system).toContain(`These are ${names.length} of 63 skills.`);
  expect(request && toolsOf(request)).toEqual(expect.arrayContaining(listing));
  await takeTurn(chat.visitor, { message: 'And now the budgets of team 4?', conversationId });
  expect(chat.model.requests[1]?.system).toBe(request?.system);
  expect(chat.model.requests[1]?.tools).toEqual(request?.tools);
});

test('a conversation keeps its initial ranking, even if other skills match better later', async () => {
  await start(says('Hello.'), says('Hello.'), says('Hello.'));
  const message = 'Extract the tables from a PDF file';
  const { conversationId } = await takeTurn(chat.visitor, { message });
  const better =
    'Extracts the tables from a PDF file: extracts tables. Also of zeppelins, and quokkas.';
  await writeFiles(join(chat.server.folder, 'contents'), {
    'skills/team-59-photos/SKILL.md': skillFile('team-59-photos', better, message),
  });
  await whenRanked(chat, 'quokkas');

  await takeTurn(chat.visitor, { message: 'And of this one?', conversationId });
  await takeTurn(chat.visitor, { message });

  const [first, second, other] = chat.model.requests;
  expect(second?.system).toBe(first?.system);
  expect(other?.system).toContain('quokkas');
});

test('a model finds a skill by search and activates it, and never learns of a forbidden one', async () => {
  await start(
    calls(['search_skills', { query: 'tables of a PDF file', limit: '50' }]),
    calls(['activate_skill', { skill_name: 'pdf-tables' }]),
    says('Done.'),
  );
  const { events } = await takeTurn(chat.visitor, { message: 'Hi', app: 'search' });
  const [first, second] = chat.model.requests;
  expect(namesIn(first?.system)).toEqual([]);
  expect(first?.system).toContain('There are 63 skills, and none of them is listed here.');
  const found = second?.messages.at(-1)?.content ?? '';
  expect(namesIn(found)[0]).toBe('pdf-tables');
  expect(namesIn(found)).not.toContain('hidden-tables');
  expect(namesIn(found)).not.toContain('by-hand');
  expect(events.find(({ type }) => type === 'skill.activation')).toMatchObject({
    name: 'pdf-tables',
    via: 'model',
  });
});

test('every visible skill can be activated by name, listed or not', async () => {
  await start(calls(['activate_skill', { skill_name: 'team-59-photos' }]), says('Done.'));
  const { events } = await takeTurn(chat.visitor, { message: 'Hi', skills: ['team-31-meetings'] });
  const names = events.flatMap((event) => (event.type === 'skill.activation' ? [event.name] : []));
  expect(names).toEqual(['team-31-meetings', 'team-59-photos']);
});

test('all skills are listed page by page, with their categories', async () => {
  await start(
    calls(['list_skills', {}]),
    calls(['list_skills', { cursor: 60 }]),
    calls(['list_skills', { category: 'order' }]),
    says('Done.'),
  );
  await takeTurn(chat.visitor, { message: 'What can you do?' });
  const results = chat.model.requests.slice(1).map(({ messages }) => messages.at(-1)?.content);
  expect(results[0]).toMatch(
    /^Categories: order \(1\)\.\n\nSkills 1 to 20 of 63\. Next: cursor "20"\./,
  );
  expect(namesIn(results[0])).toHaveLength(20);
  expect(results[1]).toMatch(/^Skills 61 to 63 of 63\. This is the end\./);
  expect(namesIn(results[2])).toEqual(['sorted']);
});

const long = `tables ${'x '.repeat(2000)}`;

test.each<[string, string, unknown, RegExp]>([
  ['search_skills', 'nothing', {}, /takes \{"query": "…"\}/],
  ['search_skills', 'a list', { query: ['a'] }, /takes \{"query": "…"\}/],
  ['search_skills', 'no words', { query: '???' }, /No skill matches these words\. Try other words/],
  ['search_skills', 'a huge query', { query: long, limit: 'all' }, /pdf-tables/],
  [
    'list_skills',
    'an unknown category',
    { category: 'none' },
    /no category "none"\. Categories: order/,
  ],
  ['list_skills', 'a word for a cursor', { cursor: 'next' }, /"next" is not a cursor/],
  [
    'list_skills',
    'a cursor behind the end',
    { cursor: '9999999' },
    /Call list_skills without a cursor/,
  ],
  ['list_skills', 'a text', 'all', /both can be left out/],
])('%s with %s is answered with what to do', async (tool, _, input, answer) => {
  await start(calls([tool, input]), says('Done.'));
  await takeTurn(chat.visitor, { message: 'Hi' });
  expect(chat.model.requests[1]?.messages.at(-1)?.content).toMatch(answer);
});

test('if all skills fit, or the app wants names only, there is no search', async () => {
  await start(says('Hello.'));
  await takeTurn(chat.visitor, { message: 'Hi', app: 'small' });
  await takeTurn(chat.visitor, { message: 'Hi', app: 'catalog' });
  const [small, catalog] = chat.model.requests;
  expect(namesIn(small?.system)).toEqual(['pdf-tables', 'sorted']);
  expect(namesIn(catalog?.system).length).toBeGreaterThan(20);
  for (const request of chat.model.requests) {
    expect(toolsOf(request)).not.toEqual(expect.arrayContaining(listing));
  }
});

test('a model without tools gets the matching skills, and is told of the others', async () => {
  await start(says('Hello.'));
  const message = 'Extract the tables from a PDF file';
  await takeTurn(chat.visitor, { message, model: 'plain', app: 'search' });
  const request = chat.model.requests.at(-1);
  expect(namesIn(request?.system)[0]).toBe('pdf-tables');
  expect(request?.system).toMatch(/of 63 skills\. The user can apply any other by typing "\/"/);
});
