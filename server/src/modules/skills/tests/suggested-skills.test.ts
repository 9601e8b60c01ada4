import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { whenRanked } from '../../../testing/when-ranked.ts';
import type { Files } from '../../../testing/write-files.ts';

const described = {
  zeppelins: 'Steers a zeppelin through a storm.',
  'pdf-tables': 'Extracts tables from PDF files as CSV.',
  'wedding-speech': 'Writes a speech for a wedding, with a toast at its end.',
  'tax-return': 'Fills in a tax return for a small company.',
};
const others = Array.from({ length: 40 }, (_, at) => `office-${at}`);
const files: Files = {
  ...Object.fromEntries(
    Object.entries(described).map(([name, about]) => [
      `skills/${name}/SKILL.md`,
      skillFile(name, about),
    ]),
  ),
  ...Object.fromEntries(
    others.map((name) => [
      `skills/${name}/SKILL.md`,
      skillFile(name, `Looks after the keys, plants and lamps of ${name}, as agreed.`),
    ]),
  ),
  'config/skills.json': { settings: { catalogTokenBudget: 250 } },
  'apps/chat.json': { id: 'chat', name: 'Chat', description: 'For zeppelins', skills: ['*'] },
};
const app = (skillSettings: unknown): Files => ({
  'apps/chat.json': {
    ...{ id: 'chat', name: 'Chat', description: 'For zeppelins', skills: ['*'], skillSettings },
  },
});
const chat = scriptedChat(files);
const messages = {
  keys: 'Where are the keys, plants and lamps of office-3?',
  tables: 'Extract the tables of a PDF file',
  speech: 'Write a speech for the wedding',
  both: 'The tables of the PDF file and the speech for the wedding, please',
};

async function start(more: Files = {}) {
  await chat.start([says('Hello.')], more);
  return whenRanked(chat, 'zeppelins');
}

/** Runs turns of one conversation. */
async function runTurns(...said: string[]): Promise<string> {
  let conversationId: string | undefined;
  for (const message of said) {
    const taken = await takeTurn(chat.visitor, {
      message,
      ...(conversationId === undefined ? {} : { conversationId }),
    });
    expect(taken.status).toBe(200);
    conversationId = taken.conversationId;
  }
  return conversationId ?? '';
}

const namesIn = (text = '') => [...text.matchAll(/<name>(.*?)<\/name>/g)].map(([, name]) => name);
/** Skill names before the text of each user message, in the last request. */
const named = () =>
  (chat.model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => namesIn(content));

test('a later message lists the skills that it suggests, each once, and requests only grow', async () => {
  await start();
  await runTurns(messages.keys, messages.tables, messages.speech, messages.both, 'Thanks.');
  expect(named()).toEqual([[], ['pdf-tables'], ['wedding-speech'], [], []]);
  const { requests } = chat.model;
  expect(requests.at(-1)?.messages[2]?.content).toBe(
    `These skills are available too, and may fit this message:
<available_skills>
  <skill>
    <name>pdf-tables</name>
    <description>${described['pdf-tables']}</description>
  </skill>
</available_skills>

${messages.tables}`,
  );
  for (const [index, { system, messages: sent }] of requests.slice(1).entries()) {
    const before = requests[index];
    expect(system).toBe(before?.system);
    expect(sent.slice(0, before?.messages.length)).toEqual(before?.messages);
  }
  for (const name of namesIn(requests[0]?.system)) {
    expect(named().flat()).not.toContain(name);
  }
});

test("suggestions stay after a change of a skill's texts, a restart and a restore", async () => {
  const admin = await start();
  const { conversationId } = await takeTurn(admin, { message: messages.keys });
  await takeTurn(admin, { message: messages.tables, conversationId });
  const before = chat.model.requests.at(-1)?.messages;
  const path = join(chat.server.folder, 'contents/skills/pdf-tables/SKILL.md');
  await writeFile(path, skillFile('pdf-tables', 'Reads PDF files with tables.'));
  await waitFor(async () => (await (await admin('/api/skills')).text()).includes('Reads PDF'));
  const zip = await exportBackup(admin, '?data=true');
  await chat.server.close();
  for (const folder of [chat.server.folder, undefined]) {
    chat.server = await startTestServer({ model: chat.model.ask, ...(folder ? { folder } : {}) });
    const visitor = await signInAdmin(chat.server);
    if (!folder) {
      await importBackup(visitor, zip);
    }
    await whenRanked(chat, 'zeppelins');
    await takeTurn(visitor, { message: 'Thanks.', conversationId });
    expect(chat.model.requests.at(-1)?.messages.slice(0, 3)).toEqual(before);
    if (folder) {
      await chat.server.close();
    }
  }
});

test('a withdrawn or disabled skill leaves the next request', async () => {
  await start();
  const conversationId = await runTurns(messages.keys, messages.both);
  expect(named()[1]?.toSorted()).toEqual(['pdf-tables', 'wedding-speech']);
  const skillsOff = ['wedding-speech'];
  await takeTurn(chat.visitor, { message: 'Go on.', conversationId, skillsOff });
  expect(named()).toEqual([[], ['pdf-tables'], []]);
  const json = app({ exclude: ['pdf-tables'] })['apps/chat.json'];
  await writeFile(join(chat.server.folder, 'contents/apps/chat.json'), JSON.stringify(json));
  await waitFor(async () => (await chat.visitor('/api/skills/pdf-tables')).status === 404);
  await takeTurn(chat.visitor, { message: messages.tables, conversationId });
  expect(JSON.stringify(chat.model.requests.at(-1))).not.toMatch(/pdf-tables|wedding-speech/);
});

test('an active skill is not suggested, and one of an edited message is suggested again', async () => {
  await start();
  const conversationId = await runTurns(messages.keys, messages.tables);
  const { messages: said } = await chat.conversation(conversationId);
  const replaces = said[2]?.id ?? '';
  await takeTurn(chat.visitor, { message: messages.both, conversationId, replaces });
  expect(named().at(-1)?.toSorted()).toEqual(['pdf-tables', 'wedding-speech']);
  const picking = { message: messages.both, conversationId, replaces, skills: ['pdf-tables'] };
  const [edited] = (await chat.conversation(conversationId)).messages.slice(2);
  await takeTurn(chat.visitor, { ...picking, replaces: edited?.id ?? '' });
  expect(named().at(-1)).toEqual(['wedding-speech']);
});

test.each<[string, Files]>([
  ['the model has to search', app({ discoveryMode: 'search' })],
  ['the app wants names only', app({ discoveryMode: 'catalog' })],
  ['the app omits the catalogue', app({ catalog: false })],
  ['all skills are listed', { 'config/skills.json': {} }],
])('no skill is suggested where %s', async (_, more) => {
  await chat.start([says('Hello.')], more);
  await runTurns(messages.keys, messages.tables, messages.speech);
  expect(named().flat()).toEqual([]);
});

test('suggestions fit the budget of a small context window', async () => {
  const long = (name: string) =>
    skillFile(name, `Extracts tables from PDF files. ${`And ${name} knows more. `.repeat(18)}`);
  await start({
    'skills/tables-a/SKILL.md': long('tables-a'),
    'skills/tables-b/SKILL.md': long('tables-b'),
    'models/scripted.json': {
      ...{ id: 'scripted', modelId: 'x', name: 'X', provider: 'local', contextWindow: 2000 },
    },
  });
  await runTurns(messages.keys, messages.tables);
  expect(named()).toEqual([[], ['pdf-tables']]);
});
