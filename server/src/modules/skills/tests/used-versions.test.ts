import { analyticsApi } from '@knowhow/shared/config/analytics';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, test } from 'vitest';
import { makeKey } from '../../../testing/make-key.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { readTrace } from '../../../testing/read-trace.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { startOf, type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();
const files = {
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: [{ name: 'meeting-notes', version: 1 }] },
  'apps/other.json': { id: 'other', name: 'Other', skills: ['*'] },
};
const skill = 'meeting-notes';

/** Version 1 is the one that the skill came with, version 2 is published. */
async function publish(admin: Visitor): Promise<(number: number) => unknown> {
  const body = skillFile(skill, 'Is new.', 'Do it now.');
  await admin(`/api/admin/skills/${skill}/files/SKILL.md`, { method: 'PUT', body });
  const answer = admin(`/api/skill-versions/${skill}`);
  const { items } = await parseAnswer(skillVersionsApi.list.response, answer);
  return (number) => ({ number, digest: items.find((each) => each.number === number)?.digest });
}

const activations = ({ events }: TakenTurn) =>
  events.flatMap((event) => (event.type === 'skill.activation' ? [event.version] : []));
const use = (visitor: Visitor, app: string) =>
  takeTurn(visitor, { app, message: 'Go', skills: [skill] });

test('an answer names the version of each skill that it used, also after reloading', async () => {
  const activate = calls(['activate_skill', { skill_name: skill }]);
  await chat.start([says('Old.'), activate, says('New.'), says('Again.')], files);
  const admin = await signInAdmin(chat.server);
  const version = await publish(admin);
  const pinned = await use(admin, 'chat');
  const followed = await takeTurn(admin, { app: 'other', message: 'Go' });
  expect(activations(pinned)).toEqual([version(1)]);
  expect(activations(followed)).toEqual([version(2)]);

  const answer = await admin(`/api/conversations/${followed.conversationId}`);
  expect(await answer.json()).toMatchObject({
    activeSkills: [{ name: skill, version: version(2) }],
    messages: [{}, { activations: [{ name: skill, version: version(2) }] }],
  });
});

test('what the model saw names versions, also of a skill that an earlier message used', async () => {
  await chat.start([says('Old.'), says('Again.')], files);
  const admin = await signInAdmin(chat.server);
  await publish(admin);
  const why = async (turn: TakenTurn) =>
    (await admin(`/api/messages/${startOf(turn).messageId}/trace/skills/${skill}`)).json();
  const first = await use(admin, 'chat');
  const { conversationId } = first;
  const next = await takeTurn(admin, { conversationId, message: 'And then?' });
  expect((await readTrace(admin, first)).rounds).toMatchObject([{ versions: { [skill]: 1 } }]);
  expect((await readTrace(admin, next)).rounds).toMatchObject([{ versions: { [skill]: 1 } }]);
  expect(await why(first)).toMatchObject({ via: 'slash', version: 1 });
  expect(await why(next)).toMatchObject({ rule: 'already-active', version: 1 });
});

test('programs read versions next to the names of the active skills', async () => {
  await chat.start([says('Old.')], files);
  const admin = await signInAdmin(chat.server);
  const version = await publish(admin);
  const { key } = await makeKey(chat.server, admin, ['chat']);
  const ask = async (path: string, body: object) => {
    const json = { metadata: { skills: skill }, ...body };
    const headers = { authorization: `Bearer ${key}` };
    return (await chat.visitor(`/v1/${path}`, { json, headers })).text();
  };
  const messages = [{ role: 'user', content: 'Go' }];
  const named = (number: number) => ({
    knowhow: { skills: [skill], versions: { [skill]: version(number) } },
  });
  expect(JSON.parse(await ask('chat/completions', { model: 'chat', messages }))).toMatchObject(
    named(1),
  );
  expect(JSON.parse(await ask('responses', { model: 'other', input: 'Go' }))).toMatchObject(
    named(2),
  );
  const stream = await ask('chat/completions', { model: 'chat', messages, stream: true });
  expect(stream).toContain(JSON.stringify(named(1)).slice(1, -1));
});

test('an answer names no version if a skill has never been changed', async () => {
  await chat.start([says('Hi.')], { 'apps/other.json': files['apps/other.json'] });
  expect(activations(await use(chat.visitor, 'other'))).toEqual([undefined]);
});

test('figures compare versions: activations, ratings and denials of each', async () => {
  const activate = calls(['activate_skill', { skill_name: skill }]);
  const busy = { id: 'busy', name: 'Busy', skills: ['*'], skillSettings: { maxActiveSkills: 1 } };
  await chat.start([says('Old.'), says('New.'), says('New.'), activate, says('No.')], {
    ...files,
    'apps/busy.json': busy,
  });
  const admin = await signInAdmin(chat.server);
  await publish(admin);
  const rate = (turn: TakenTurn, value: 'up' | 'down') =>
    admin(`/api/messages/${startOf(turn).messageId}/feedback`, { method: 'PUT', json: { value } });
  await rate(await use(admin, 'chat'), 'down');
  await rate(await use(admin, 'other'), 'up');
  await use(admin, 'other');
  await takeTurn(admin, { app: 'busy', message: 'Go', skills: ['release-notes'] });
  const read = (query = '', name = skill) =>
    parseAnswer(
      analyticsApi.versions.response,
      admin(`/api/admin/analytics/skills/${name}/versions${query}`),
    );
  const none = { answers: 0, activations: 0, refused: 0, limited: 0, costs: [] };
  const { versions } = await read();
  expect(versions).toEqual([
    { ...none, version: 2, answers: 2, activations: 2, limited: 1, thumbs: { up: 1, down: 0 } },
    { ...none, version: 1, answers: 1, activations: 1, thumbs: { up: 0, down: 1 } },
  ]);
  expect((await read('?app=chat')).versions).toMatchObject([{ version: 1, answers: 1 }]);
  expect((await read('', 'release-notes')).versions).toEqual([
    { ...none, answers: 1, activations: 1, thumbs: { up: 0, down: 0 } },
  ]);
  expect((await read('', 'no-such-skill')).versions).toEqual([]);
});
