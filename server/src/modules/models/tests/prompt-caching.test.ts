import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith, startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { whenRanked } from '../../../testing/when-ranked.ts';
import type { Files } from '../../../testing/write-files.ts';
import type { ModelRequest } from '../model.ts';

const models = (config: Record<string, unknown> = {}): Files => ({
  ...modelWith({ contextWindow: 32_000, ...config }),
  'models/other.json': { id: 'other', modelId: 'y', name: 'Y', provider: 'local' },
});

const chat = scriptedChat({
  ...models(),
  'apps/chat.json': {
    id: 'chat',
    name: 'Chat',
    system: { en: 'You are helpful.', de: 'Du hilfst.' },
    skills: ['*'],
  },
  'skills/translate/SKILL.md': skillFile('translate', 'Translates.', 'Into $ARGUMENTS.'),
  'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
  'skills/brief/references/a.md': 'The first file.',
  'skills/brief/references/b.md': 'The second file.',
});

const activate = (skill_name: string) => calls(['activate_skill', { skill_name }]);
const read = (file: string): Step => [
  { type: 'text', text: `I look into ${file}.` },
  ...calls(['read_skill_resource', { skill_name: 'brief', file_path: `references/${file}.md` }]),
];

/** The parts that a provider reads, in order. */
const bytesOf = ({ system, tools, messages }: ModelRequest) =>
  JSON.stringify({ tools, system, messages }).slice(0, -2);

/** The share of a request that the previous one is a prefix of, from 0 to 1 (prompt caching). */
function shareOf(before: ModelRequest, request: ModelRequest): number {
  const [one, other] = [bytesOf(before), bytesOf(request)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) {
    same += 1;
  }
  return same / one.length;
}

/** For each request but the first. */
function shares(requests: readonly ModelRequest[]): number[] {
  return requests.slice(1).map((request, index) => {
    const before = requests[index];
    return before ? shareOf(before, request) : 0;
  });
}

const lastShare = () => shares(chat.model.requests).at(-1) ?? 0;

test('over 20 turns with skills and files each request starts with the previous one', async () => {
  const scripts: Record<number, Step[]> = {
    2: [activate('brief'), read('a'), says('Short.')],
    5: [activate('meeting-notes'), says('Noted.')],
    8: [read('b'), activate('brief'), says('Shorter.')],
    11: [calls(['activate_skill', { skill_name: 'release-notes' }], ['x', {}]), says('Released.')],
    14: [[{ type: 'text', text: 'Cut' }, new Error('gone')]],
  };
  const turns = Array.from({ length: 20 }, (_, turn) => scripts[turn] ?? [says(`Answer ${turn}.`)]);
  await chat.start(turns.flat());
  const conversationId = randomUUID();
  for (const turn of turns.keys()) {
    const { status } = await takeTurn(chat.visitor, {
      message: `Question ${turn}`,
      conversationId,
      ...(turn === 4 ? { skills: ['translate'] } : {}),
      ...(turn === 16 ? { skills: ['brief'] } : {}),
    });
    expect(status).toBe(200);
  }

  const { requests } = chat.model;
  expect(requests).toHaveLength(turns.flat().length);
  expect(shares(requests).filter((share) => share < 1)).toEqual([]);
  const last = chat.sent(requests.length - 1);
  for (const name of ['brief', 'meeting-notes', 'release-notes', 'translate']) {
    expect(last.split(`<skill_content name="${name}">`)).toHaveLength(2);
  }
  expect(last).toContain('The first file.');
  expect(last).toContain('The second file.');
  expect(last).toContain('Into Question 4.');
  expect(JSON.stringify(requests.at(-1)?.messages)).toContain('I look into a.');
});

test("also when later messages suggest skills beyond the catalogue's budget", async () => {
  await chat.start([says('Well.')], {
    'config/skills.json': { settings: { catalogTokenBudget: 60 } },
    'apps/chat.json': { id: 'chat', name: 'Chat', description: 'Translates', skills: ['*'] },
  });
  await whenRanked(chat, 'translate');
  const conversationId = randomUUID();
  const said = ['Translate it.', 'Make it short.', 'Now the notes of the meeting.', 'Thanks.'];
  for (const message of said) {
    await takeTurn(chat.visitor, { message, conversationId });
  }
  expect(shares(chat.model.requests)).toEqual([1, 1, 1]);
  const asked = chat.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user') ?? [];
  expect(asked.map(({ content }) => content.includes('<available_skills>'))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('also after a restart, and after a restore on another server', async () => {
  const script = [activate('brief'), read('a'), says('Short.'), says('More.')];
  await chat.start(script);
  const admin = await signInAdmin(chat.server);
  const { conversationId } = await takeTurn(admin, { message: 'A', skills: ['translate'] });
  const before = chat.model.requests.at(-1);
  const zip = await exportBackup(admin, '?data=true');
  await chat.server.close();

  const { model } = chat;
  chat.server = await startTestServer({ model: model.ask, folder: chat.server.folder });
  await takeTurn(await signInAdmin(chat.server), { message: 'B', conversationId });
  expect(before && shareOf(before, model.requests.at(-1) ?? before)).toBe(1);
  const afterRestart = model.requests.at(-1);
  await chat.server.close();

  chat.server = await startTestServer({ model: model.ask });
  await importBackup(await signInAdmin(chat.server), zip);
  await takeTurn(await signInAdmin(chat.server), { message: 'B', conversationId });
  expect(model.requests.at(-1)).toEqual(afterRestart);
});

test('vendor-specific fields are sent back, but not to another model', async () => {
  const state = { vendor: 'any', items: ['thought'] };
  await chat.start([[{ type: 'vendor-state', state }, ...activate('brief')], says('One.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(lastShare()).toBe(1);
  expect(chat.model.requests.at(-1)?.messages[1]).toMatchObject({ vendorState: state });
  await takeTurn(chat.visitor, { message: 'C', conversationId, model: 'other' });
  expect(JSON.stringify(chat.model.requests.at(-1))).not.toContain('thought');
});

test('an answer interrupted during a call continues from there', async () => {
  await chat.start([
    calls(['activate_skill', { skill_name: 'brief' }], ['x', {}]),
    [{ type: 'text', text: 'Then' }, new Error('gone')],
    says('Well.'),
  ]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(chat.model.requests[2]?.messages).toMatchObject([
    { content: 'A' },
    { toolCalls: [{ name: 'activate_skill' }, { name: 'x' }] },
    { role: 'tool', content: expect.stringContaining('Be brief.') },
    { role: 'tool', isError: true },
    { role: 'assistant', content: 'Then' },
    { content: 'B' },
  ]);
});

test('calls of two answers with the same ID get distinct IDs', async () => {
  await chat.start([activate('brief'), says('One.'), activate('translate'), says('Two.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  await takeTurn(chat.visitor, { message: 'B', conversationId });
  const ids = chat.model.requests[3]?.messages.flatMap((message) =>
    message.role === 'tool' ? message.callId : [],
  );
  expect(ids).toEqual(['call-0', 'call-0_1']);
});

test('editing an earlier message changes requests only from there on', async () => {
  await chat.start([activate('brief'), says('One.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  const { events } = await takeTurn(chat.visitor, { message: 'B', conversationId });
  const [started] = events;
  const replaces = started?.type === 'session.start' ? started.userMessageId : '';
  const before = chat.model.requests.at(-1)?.messages ?? [];
  await takeTurn(chat.visitor, { message: 'C', conversationId, replaces });
  const after = chat.model.requests.at(-1)?.messages ?? [];
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
  expect(after.at(-1)).toEqual({ role: 'user', content: 'C' });
});

test('another model or language starts over, with the complete history', async () => {
  await chat.start([activate('brief'), says('One.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  await takeTurn(chat.visitor, { message: 'B', conversationId, model: 'other' });
  expect(lastShare()).toBe(1);
  const headers = { 'accept-language': 'de' };
  await takeTurn(chat.visitor, { message: 'C', conversationId, headers });
  expect(lastShare()).toBeLessThan(0.9);
  expect(chat.sent(3)).toContain('Du hilfst.');
  expect(chat.sent(3)).toContain('Be brief.');
});

test('a model without tools gets the texts and the skills, without calls', async () => {
  await chat.start([activate('brief'), read('a'), says('One.')], {
    'apps/chat.json': {
      id: 'chat',
      name: 'Chat',
      skills: ['*'],
      skillSettings: { router: 'off' },
    },
    'models/other.json': {
      id: 'other',
      modelId: 'y',
      name: 'Y',
      provider: 'local',
      supportsTools: false,
    },
  });
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  await takeTurn(chat.visitor, { message: 'B', conversationId, model: 'other' });
  expect(chat.model.requests.at(-1)?.messages).toMatchObject([
    {
      role: 'user',
      content: expect.stringMatching(/^<skill_content[\s\S]+you cannot read[\s\S]+A$/),
    },
    { role: 'assistant', content: expect.stringContaining('I look into a.\n\nOne.') },
    { role: 'user', content: 'B' },
  ]);
  expect(chat.sent(3)).not.toMatch(/activate_skill|read_skill_resource/);
});

test('an answer that ended before its first call leaves no empty message', async () => {
  const conversationId = randomUUID();
  const stop: Step = [
    ...calls(['activate_skill', { skill_name: 'brief' }]).slice(0, 1),
    async () => {
      const path = `/api/apps/chat/chat/${conversationId}/stop`;
      expect((await chat.visitor(path, { method: 'POST' })).status).toBe(200);
    },
    { type: 'stop', reason: 'tool-calls' },
  ];
  await chat.start([says('Hello.'), stop, says('Well.')]);
  await takeTurn(chat.visitor, { message: 'Hi', conversationId });
  const { events } = await takeTurn(chat.visitor, { message: 'A', conversationId });
  expect(events.at(-1)).toMatchObject({ finishReason: 'aborted' });
  await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(chat.model.requests.at(-1)?.messages.slice(2)).toEqual([
    { role: 'user', content: 'A\n\nB' },
  ]);
});
