import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith } from '../../../testing/start-test-server.ts';
import { type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { Files } from '../../../testing/write-files.ts';

const chat = scriptedChat({
  'skills/house-style/SKILL.md': skillFile('house-style', 'How we write.', 'Write plainly.'),
});
const app = (skillSettings: object, skills = ['*']): Files => ({
  'apps/chat.json': { id: 'chat', name: 'Chat', skills, skillSettings },
});

/** Rewrites the app, and waits until it is reloaded: its name identifies the revision. */
async function change(skillSettings: object, skills = ['*']) {
  const name = `Chat ${JSON.stringify([skillSettings, skills])}`;
  const file = { id: 'chat', name, skills, skillSettings };
  await writeFile(join(chat.server.folder, 'contents/apps/chat.json'), JSON.stringify(file));
  await waitFor(async () => {
    const found: unknown = await (await chat.visitor('/api/apps/chat')).json();
    return JSON.stringify(found).includes(JSON.stringify(name).slice(1, -1));
  });
}

const activatedNames = ({ events }: TakenTurn) =>
  events.flatMap((event) =>
    event.type === 'skill.activation' ? [`${event.via} ${event.name}`] : [],
  );
const ended = ({ events }: TakenTurn) =>
  events.flatMap((event) =>
    event.type === 'skill.ended' ? [`${event.reason} ${event.name}`] : [],
  );
const activeIn = async (id: string) =>
  (await chat.conversation(id)).activeSkills.map(({ name }) => name);

test("an app's always-on skill is active from the first message, once per request", async () => {
  await chat.start(
    [
      calls([
        'read_skill_resource',
        { skill_name: 'meeting-notes', file_path: 'references/format.md' },
      ]),
      says('Hi.'),
    ],
    app({ autoInject: ['meeting-notes', 'house-style', 'none'] }),
  );
  const first = await takeTurn(chat.visitor, { message: 'A' });
  expect(activatedNames(first)).toEqual(['app house-style', 'app meeting-notes']);
  expect(chat.model.requests[0]?.messages[0]?.content).toMatch(
    /^<skill_content name="house-style">\nWrite plainly\.[\s\S]+<skill_content name="meeting-notes">[\s\S]+\n\nA$/,
  );
  expect(chat.model.requests[1]?.messages.at(-1)?.content).toBe('One decision a line.\n');
  const { conversationId } = first;
  expect(await activeIn(conversationId)).toEqual(['house-style', 'meeting-notes']);
  const second = await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(activatedNames(second)).toEqual([]);
  expect(chat.sent(2).match(/<skill_content name="house-style">/g)).toHaveLength(1);
  expect(chat.model.requests[2]?.messages.slice(0, 3)).toEqual(chat.model.requests[1]?.messages);
});

test('it ends when its user deactivates it, and does not return automatically', async () => {
  await chat.start([says('Hi.')], app({ autoInject: ['house-style'] }));
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  const path = `/api/conversations/${conversationId}/skills/house-style`;
  expect((await chat.visitor(path, { method: 'DELETE' })).status).toBe(204);
  const second = await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(activatedNames(second)).toEqual([]);
  expect(chat.sent(1)).not.toContain('Write plainly.');
  const third = await takeTurn(chat.visitor, {
    message: 'C',
    conversationId,
    skills: ['house-style'],
  });
  expect(activatedNames(third)).toEqual(['slash house-style']);
});

test('a user who disables it does without it until enabling it again', async () => {
  await chat.start([says('Hi.')], app({ autoInject: ['house-style'] }));
  const skillsOff = ['house-style'];
  const first = await takeTurn(chat.visitor, { message: 'A', skillsOff });
  const { conversationId } = first;
  expect(activatedNames(first)).toEqual([]);
  const on = await takeTurn(chat.visitor, { message: 'B', conversationId, skillsOff: [] });
  expect(activatedNames(on)).toEqual(['app house-style']);
  const off = await takeTurn(chat.visitor, { message: 'C', conversationId, skillsOff });
  expect(ended(off)).toEqual(['user house-style']);
  const again = await takeTurn(chat.visitor, { message: 'D', conversationId, skillsOff: [] });
  expect(activatedNames(again)).toEqual(['app house-style']);
});

test('it ends when the app no longer uses or offers it, also during a turn', async () => {
  await chat.start(
    [
      says('One.'),
      says('Two.'),
      says('Three.'),
      [
        () => change({ autoInject: ['house-style'] }, ['meeting-notes']),
        ...calls(['activate_skill', { skill_name: 'house-style' }]),
      ],
      says('Four.'),
    ],
    app({ autoInject: ['house-style'] }),
  );
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  await change({});
  const second = await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(ended(second)).toEqual(['app house-style']);
  expect(chat.sent(1)).toContain('This app no longer uses skill "house-style"');
  expect(chat.sent(1)).not.toContain('Write plainly.');
  await change({ autoInject: ['house-style'] });
  const third = await takeTurn(chat.visitor, { message: 'C', conversationId });
  expect(activatedNames(third)).toEqual(['app house-style']);
  const fourth = await takeTurn(chat.visitor, { message: 'D', conversationId });
  expect(ended(fourth)).toEqual(['app house-style']);
  expect(chat.model.requests.at(-1)?.messages.at(-1)?.content).toContain(
    'Skill "house-style" is not available.',
  );
  expect(chat.sent(4)).not.toContain('Write plainly.');
  expect((await chat.conversation(conversationId)).messages.at(-1)).toMatchObject({
    ended: [{ name: 'house-style', reason: 'app' }],
  });
});

test('a skill that its user has picked ends when the app no longer offers it', async () => {
  await chat.start([says('One.')], app({}));
  const { conversationId } = await takeTurn(chat.visitor, {
    message: 'A',
    skills: ['meeting-notes'],
  });
  await change({}, ['house-style']);
  expect(ended(await takeTurn(chat.visitor, { message: 'B', conversationId }))).toEqual([
    'app meeting-notes',
  ]);
});

test('beyond the maximum of active skills the oldest end; so they do when the app needs space', async () => {
  await chat.start([says('One.')], app({}));
  const skills = ['release-notes', 'meeting-notes', 'house-style'];
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A', skills });
  await change({ maxActiveSkills: 2 });
  const fewer = await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(ended(fewer)).toEqual(['limit release-notes']);
  expect(chat.sent(1)).toContain('Skill "release-notes" reached a limit');
  await change({ maxActiveSkills: 2, autoInject: ['release-notes', 'house-style'] });
  const needed = await takeTurn(chat.visitor, { message: 'C', conversationId });
  expect(ended(needed)).toEqual(['limit meeting-notes']);
  expect(activatedNames(needed)).toEqual(['app release-notes']);
  expect(await activeIn(conversationId)).toEqual(['house-style', 'release-notes']);
  await change({ maxActiveSkills: 1, autoInject: ['release-notes', 'house-style'] });
  const one = await takeTurn(chat.visitor, { message: 'D', conversationId });
  expect(ended(one)).toEqual(['limit release-notes']);
  expect(activatedNames(one)).toEqual([]);
});

const long = 'Mind the details of this. '.repeat(300);
const longOnes: Files = {
  'skills/a-manual/SKILL.md': skillFile('a-manual', 'The first manual.', `${long} End of a.`),
  'skills/b-manual/SKILL.md': skillFile('b-manual', 'The second manual.', `${long} End of b.`),
};
const autoInject = ['a-manual', 'b-manual', 'house-style'];

test('a skill beyond the token budget is listed by name, and can be read', async () => {
  const small = modelWith({ contextWindow: 12_000, maxOutputTokens: 1000 });
  await chat.start(
    [
      calls(['read_skill_resource', { skill_name: 'b-manual', file_path: 'SKILL.md' }]),
      says('Hi.'),
    ],
    { ...app({ autoInject }), ...small, ...longOnes },
  );
  const message = 'Hello. '.repeat(2500);
  const first = await takeTurn(chat.visitor, { message });
  expect(activatedNames(first)).toEqual(['app a-manual', 'app b-manual', 'app house-style']);
  expect(chat.sent(0)).toContain('End of a.');
  expect(chat.sent(0)).not.toContain('End of b.');
  expect(chat.sent(0)).toMatch(
    /<skill_content name="b-manual">\nThe second manual\.\n\nThe instructions of this skill are too long/,
  );
  expect(chat.model.requests[1]?.messages.at(-1)?.content).toContain('Mind the details');
});

test('without tools, a skill beyond the token budget is skipped', async () => {
  const small = modelWith({ contextWindow: 12_000, maxOutputTokens: 1000, supportsTools: false });
  await chat.start([says('Hi.')], {
    ...app({ autoInject, router: 'off' }),
    ...small,
    ...longOnes,
  });
  const first = await takeTurn(chat.visitor, { message: 'Hello. '.repeat(2500) });
  expect(activatedNames(first)).toEqual(['app a-manual', 'app house-style']);
});
