import { type ReplayEvent, replayEventSchema } from '@knowhow/shared/skills/skill-drafts';
import { expect, test } from 'vitest';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';

const text = (name: string, steps: string, category = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${category}---\n\n${steps}\n`;
const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });
const chat = scriptedChat({
  'config/groups.json': {
    groups: {
      ...group('admins', { apps: ['*'], models: ['*'], skills: ['*'], adminAccess: true }),
      ...group('hr', { models: ['scripted'], skillRights: { author: ['HR'] } }),
      ...group('law', { models: ['*'], skillRights: { author: ['Law'] } }),
      ...group('poor', { skillRights: { author: ['HR'] } }),
      limited: {
        ...{ id: 'limited', name: 'Limited', quotas: { each: { turnsPerDay: 1 } } },
        permissions: { models: ['*'], adminAccess: ['skills'] },
      },
    },
  },
  'skills/leave/SKILL.md': text('leave', 'Say OLD.', 'category: HR\n'),
  'skills/other/SKILL.md': text('other', 'Say OTHER.'),
});

/** Answers with the word that the skill in the request asks for. */
const obedient = ({ system, messages }: ModelRequest): Step => {
  const [, word = 'nothing'] = /Say (\w+)\./.exec(system + JSON.stringify(messages)) ?? [];
  return says(`It is ${word}.`);
};
const start = async (script: (request: ModelRequest) => Step = obedient) => {
  await chat.start(script);
  return signInAdmin(chat.server);
};
const saveDraft = (visitor: Visitor, name = 'leave', steps = 'Say NEW.') =>
  visitor(`/api/skill-drafts/${name}/files/SKILL.md`, {
    method: 'PUT',
    body: text(name, steps, 'category: HR\n'),
  });
const ask = (visitor: Visitor, json: object = {}, name = 'leave', signal?: AbortSignal) =>
  visitor(`/api/skill-drafts/${name}/replay`, {
    json: { message: 'May I leave?', model: 'scripted', ...json },
    ...(signal ? { signal } : {}),
  });
async function replay(visitor: Visitor, name?: string): Promise<ReplayEvent[]> {
  const response = await ask(visitor, {}, name);
  expect(response.status).toBe(200);
  return (await response.text())
    .split('\n\n')
    .filter((frame) => frame.startsWith('id: '))
    .map((frame) => {
      const [, type, data] = /^id: \d+\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? [];
      return replayEventSchema.parse({ type, ...JSON.parse(data ?? '') });
    });
}
const textOf = (events: readonly ReplayEvent[], side: string) =>
  events.map((event) => (event.type === 'text' && event.side === side ? event.text : '')).join('');
const endOf = (events: readonly ReplayEvent[], side: string) =>
  events.find((event) => (event.type === 'end' || event.type === 'error') && event.side === side);

test('a message is answered with the published version and with the draft', async () => {
  const admin = await start();
  await saveDraft(admin);
  const events = await replay(admin);
  expect(events[0]).toEqual({ type: 'start', sides: ['published', 'draft'] });
  expect(textOf(events, 'published')).toBe('It is OLD.');
  expect(textOf(events, 'draft')).toBe('It is NEW.');
  expect(endOf(events, 'draft')).toMatchObject({ type: 'end', inputTokens: 10, outputTokens: 5 });
  const requests = chat.model.requests;
  expect(requests).toHaveLength(2);
  for (const { system, messages, tools } of requests) {
    const sent = system + JSON.stringify(messages);
    expect(sent).toContain('May I leave?');
    expect(sent).not.toContain('other');
    expect((tools ?? []).map(({ name }) => name)).not.toContain('other');
  }
  const conversations = await admin('/api/conversations');
  expect(await conversations.json()).toMatchObject({ items: [] });
});

test('a draft of a new skill is answered alone', async () => {
  const admin = await start();
  await admin('/api/skill-drafts/fresh', {
    method: 'PUT',
    json: {
      formatVersion: 2,
      skill: { name: 'fresh', slug: 'fresh', content: text('fresh', 'Say FRESH.'), files: [] },
    },
  });
  const events = await replay(admin, 'fresh');
  expect(events[0]).toEqual({ type: 'start', sides: ['draft'] });
  expect(textOf(events, 'draft')).toBe('It is FRESH.');
});

test('authors compare answers for skills of their category, with models that they may use', async () => {
  const admin = await start();
  await saveDraft(admin);
  const person = async (username: string, groups: string[]) =>
    (await signInNew(chat.server, admin, { username, groups })).visitor;
  expect(textOf(await replay(await person('ann', ['hr'])), 'draft')).toBe('It is NEW.');
  const [law, poor] = [await person('lou', ['law']), await person('pat', ['poor'])];
  expect((await ask(law)).status).toBe(404);
  const refused = await parseProblem(ask(poor));
  expect(refused).toMatchObject({ status: 400, issues: [{ path: 'model', code: 'unknown' }] });
});

test('each answer counts against the quota of the author', async () => {
  const admin = await start();
  await saveDraft(admin);
  const { visitor } = await signInNew(chat.server, admin, {
    username: 'lim',
    groups: ['limited'],
  });
  const events = await replay(visitor);
  const ends = ['published', 'draft'].map((side) => endOf(events, side));
  expect(ends.map((end) => end?.type).sort()).toEqual(['end', 'error']);
  expect(ends.find((end) => end?.type === 'error')).toMatchObject({ code: 'quota-used-up' });
});

test('a model that fails is reported on its side, and the other side is complete', async () => {
  const admin = await start((request) =>
    (request.system + JSON.stringify(request.messages)).includes('OLD')
      ? [new Error('The provider is down.')]
      : obedient(request),
  );
  await saveDraft(admin);
  const events = await replay(admin);
  expect(endOf(events, 'published')).toMatchObject({ type: 'error', side: 'published' });
  expect(endOf(events, 'draft')).toMatchObject({ type: 'end' });
  expect(textOf(events, 'draft')).toBe('It is NEW.');
});

test('both answers end when the page is closed', async () => {
  let stopped = 0;
  const admin = await start(() => [
    (signal) =>
      untilAborted(signal).finally(() => {
        stopped += 1;
      }),
  ]);
  await saveDraft(admin);
  const gone = new AbortController();
  const response = await ask(admin, {}, 'leave', gone.signal);
  expect(response.status).toBe(200);
  await waitFor(() => chat.model.requests.length === 2);
  gone.abort();
  await waitFor(() => stopped === 2);
});

test('one user compares answers twice at a time', async () => {
  const admin = await start(() => [untilAborted]);
  await saveDraft(admin);
  const gone = new AbortController();
  const asked = [1, 2].map(() => ask(admin, {}, 'leave', gone.signal));
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await parseProblem(ask(admin))).toMatchObject({ status: 429 });
  gone.abort();
  await waitFor(async () => (await ask(admin, {}, 'none')).status === 404);
});

test.each([
  ['no draft', {}, 404],
  ['an empty message', { message: ' \u0000' }, 400],
  ['a message that is too long', { message: 'x'.repeat(20_001) }, 400],
  ['an unknown model', { model: 'none' }, 400],
  ['an unknown field', { app: 'chat' }, 400],
])('a comparison is refused for %s', async (what, json, status) => {
  const admin = await start();
  if (what !== 'no draft') {
    await saveDraft(admin);
  }
  expect(await parseProblem(ask(admin, json))).toMatchObject({ status });
  expect(chat.model.requests).toHaveLength(0);
});

test('a draft whose SKILL.md has no description is refused with a reason on its side', async () => {
  const admin = await start();
  const content = '---\nname: leave\n---\n\nSay NEW.\n';
  const saved = await admin('/api/skill-drafts/leave', {
    method: 'PUT',
    json: { formatVersion: 2, skill: { name: 'leave', slug: 'leave', content, files: [] } },
  });
  expect(saved.status).toBe(200);
  const events = await replay(admin);
  expect(endOf(events, 'published')).toMatchObject({ type: 'end' });
  expect(endOf(events, 'draft')).toMatchObject({ type: 'error', code: 'not-found' });
});
