import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, test } from 'vitest';
import { measureLongestPause, processorClock } from '../../../testing/measure-longest-pause.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { modelWith, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import type { Files } from '../../../testing/write-files.ts';

const chat = scriptedChat();
const limits = (activeSkills: object): Files => ({
  'config/platform.json': { rateLimit: { requests: 0, turns: 0 }, activeSkills },
});
const none = limits({ lifetimeDays: 0, maxTotal: 0 });
/** Expires before the next message. */
const momentary = 1e-9;
const skills = ['meeting-notes'];

/** The same installation with other limits. Returns the administrator's browser. */
async function startAgain(activeSkills: object): Promise<Visitor> {
  const { folder } = chat.server;
  await chat.server.close();
  const platform = limits(activeSkills)['config/platform.json'];
  await writeFile(join(folder, 'contents/config/platform.json'), JSON.stringify(platform));
  chat.server = await startTestServer({ model: chat.model.ask, folder });
  return signInAdmin(chat.server);
}

const ended = ({ events }: TakenTurn) =>
  events.flatMap((event) =>
    event.type === 'skill.ended' ? [`${event.reason} ${event.name}`] : [],
  );
const activeIn = async (id: string, visitor = chat.visitor) =>
  (await readConversation(visitor, id)).activeSkills.map(({ name }) => name);

test('a skill of an abandoned conversation has expired, and the user is told once', async () => {
  await chat.start([says('Hi.')], limits({ lifetimeDays: momentary }));
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skills });
  const next = await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(ended(next)).toEqual(['limit meeting-notes']);
  expect(chat.sent(1)).toContain('Skill "meeting-notes" reached a limit');
  expect(chat.sent(1)).not.toContain('<skill_content name');
  expect(await activeIn(conversationId)).toEqual([]);
  expect(ended(await takeTurn(chat.visitor, { message: 'C', conversationId }))).toEqual([]);
  const again = await takeTurn(chat.visitor, { message: 'D', conversationId, skills });
  expect(again.events).toContainEqual(expect.objectContaining({ type: 'skill.activation' }));
  expect(ended(await takeTurn(chat.visitor, { message: 'E', conversationId }))).toEqual([
    'limit meeting-notes',
  ]);
});

test('the user is told only once even if the turn that told them is now left out', async () => {
  const model = modelWith({ contextWindow: 2000, maxOutputTokens: 250 });
  await chat.start([says('The launch moves. '.repeat(150))], {
    ...limits({ lifetimeDays: momentary }),
    ...model,
  });
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skills });
  const told: string[][] = [];
  for (let turn = 0; turn < 16; turn += 1) {
    told.push(ended(await takeTurn(chat.visitor, { message: 'B', conversationId })));
  }
  expect(told).toEqual([['limit meeting-notes'], ...Array.from({ length: 15 }, () => [])]);
  const { messages, leftOut } = await readConversation(chat.visitor, conversationId);
  expect(messages.findIndex(({ id }) => id === leftOut?.before)).toBeGreaterThan(20);
});

test('a skill picked again with that message continues without a notice', async () => {
  await chat.start([says('Hi.')], limits({ lifetimeDays: momentary }));
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skills });
  const next = await takeTurn(chat.visitor, { message: 'B', conversationId, skills });
  expect(ended(next)).toEqual([]);
  expect(await activeIn(conversationId)).toEqual(skills);
});

test("an app's always-on skill does not expire", async () => {
  const skillSettings = { autoInject: skills };
  await chat.start([says('Hi.')], {
    ...limits({ lifetimeDays: momentary }),
    'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'], skillSettings },
  });
  const admin = await signInAdmin(chat.server);
  const { conversationId } = await takeTurn(admin, { message: 'A' });
  const again = await startAgain({ lifetimeDays: momentary });
  const next = await takeTurn(again, { message: 'B', conversationId });
  expect(ended(next)).toEqual([]);
  expect(await activeIn(conversationId, again)).toEqual(skills);
});

test.each<[string, object, string[][]]>([
  ['its lifetime has expired', { lifetimeDays: momentary }, [[], []]],
  ['the total maximum is exceeded', { maxTotal: 2 }, [[], ['meeting-notes', 'release-notes']]],
  [
    'there is no limit',
    {},
    [
      ['meeting-notes', 'release-notes'],
      ['meeting-notes', 'release-notes'],
    ],
  ],
])(
  'without a message a skill ends when %s, least recently used first',
  async (_, activeSkills, left) => {
    await chat.start([says('Hi.')], none);
    const both = ['meeting-notes', 'release-notes'];
    const admin = await signInAdmin(chat.server);
    const old = await takeTurn(admin, { message: 'A', skills: both });
    const recent = await takeTurn(admin, { message: 'B', skills: both });
    const again = await startAgain({ lifetimeDays: 0, maxTotal: 0, ...activeSkills });
    expect([
      await activeIn(old.conversationId, again),
      await activeIn(recent.conversationId, again),
    ]).toEqual(left);
    const { conversationId } = old;
    const gone = both.filter((name) => !left[0]?.includes(name));
    const next = await takeTurn(again, { message: 'C', conversationId });
    expect(ended(next)).toEqual(gone.map((name) => `limit ${name}`));
    expect(ended(await takeTurn(again, { message: 'D', conversationId }))).toEqual([]);
  },
);

test.each([
  { lifetimeDays: -1 },
  { lifetimeDays: 1e9 },
  { maxTotal: 1.5 },
  { lifetimeDays: 'long' },
])('reports an invalid limit: %j', async (activeSkills) => {
  await chat.start([says('Hi.')], limits(activeSkills));
  const admin = await signInAdmin(chat.server);
  const faults = await (await admin('/api/admin/faults')).text();
  expect(faults).toContain('config/platform.json');
  expect(faults).toContain('activeSkills.');
});

test.skipIf(onPostgres())(
  'expires skills of 60,000 conversations in slices, without blocking others',
  async () => {
    await chat.start([says('Hi.')], none);
    const sqlite = new Libsql(join(chat.server.folder, 'data/knowhow.sqlite'));
    sqlite.exec(`
    BEGIN;
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < 60000)
    insert into conversations (id, owner, app_id, model, title, created_at, updated_at)
      select 'old-' || i, 'nobody', 'chat', 'scripted', 'Old', '2020-01-01', '2020-01-01'
      from numbers;
    insert into activations
      (id, conversation_id, message_id, name, description, via, tokens, checksum, created_at)
      select id, id, id, 'meeting-notes', '', 'model', 1, '', created_at from conversations;
    COMMIT;`);
    const active = () =>
      sqlite.prepare('select count(*) as count from activations where ended_at is null').get();
    expect(active()).toMatchObject({ count: 60_000 });
    const pause = await measureLongestPause(() => startAgain({ lifetimeDays: 30 }), processorClock);
    expect(active()).toMatchObject({ count: 0 });
    sqlite.close();
    expect(pause).toBeLessThan(300);
  },
);
