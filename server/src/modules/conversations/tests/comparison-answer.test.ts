import { randomUUID } from 'node:crypto';
import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import type { AssistantMessage, Conversation } from '@knowhow/shared/chat/conversations';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openGate } from '../../../testing/open-gate.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says, untilAborted } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith } from '../../../testing/start-test-server.ts';
import { startOf, takeTurn } from '../../../testing/take-turn.ts';
import { readTurn } from '../../../testing/turn-stream.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import type { ModelRequest } from '../../models/model.ts';

const chat = scriptedChat({
  ...modelWith({}),
  'models/other.json': {
    id: 'other',
    modelId: 'y',
    name: 'Y',
    provider: 'local',
    contextWindow: 20_000,
  },
  'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
});

const isOther = ({ maxOutputTokens }: ModelRequest) => maxOutputTokens !== undefined;
const echo = (request: ModelRequest) =>
  says(`${isOther(request) ? 'Y' : 'X'}: ${request.messages.at(-1)?.content}`);
const comparisonPath = (id: string) => `/api/apps/chat/chat/${id}/compare`;
const stop = (id: string) => chat.visitor(`/api/apps/chat/chat/${id}/stop`, { method: 'POST' });
const take = (id: string, question: string) =>
  chat.visitor(`/api/conversations/${id}/line`, { method: 'PUT', json: { question } });

async function ask(message: string, conversationId: string, more: object = {}) {
  const turn = await takeTurn(chat.visitor, { message, conversationId, ...more });
  return startOf(turn).userMessageId;
}

/** Starts a comparison answer, and returns its ID. */
async function begin(id: string, question: string): Promise<string> {
  const response = await chat.visitor(comparisonPath(id), {
    json: { question, model: 'other' },
  });
  return ((await response.json()) as { id: string }).id;
}

/** The comparison answer, once it has ended, and the arguments of `lines.change` for it. */
async function answer(id: string, question: string) {
  const line = await begin(id, question);
  await waitFor(async () => statusOf(await chat.conversation(line)) !== 'running');
  const { messages } = await chat.conversation(line);
  const [asked, answered] = messages;
  expect(answered).toMatchObject({ role: 'assistant', model: 'other', status: 'complete' });
  return { ...answered, question: asked?.id ?? '' } as AssistantMessage & { question: string };
}

const statusOf = ({ messages }: Conversation) => {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? last.status : undefined;
};

const contents = async (id: string) =>
  (await chat.conversation(id)).messages.map(({ content }) => content);

test('two models answer in parallel, each can be stopped separately, and either can be continued', async () => {
  const gates = { X: openGate(), Y: openGate() };
  const hold = (name: 'X' | 'Y'): Step => [
    { type: 'text', text: `${name} begins` },
    (signal) => Promise.race([gates[name].passed, untilAborted(signal)]),
    ...says(', and ends.'),
  ];
  let isHeld = true;
  await chat.start((request) => (isHeld ? hold(isOther(request) ? 'Y' : 'X') : echo(request)));
  await chat.visitor('/api/auth/me');
  const id = randomUUID();
  const first = await readTurn(chat.visitor, `/api/apps/chat/chat/${id}`, {
    json: { message: 'Which?' },
  });
  await first.says('X begins');
  const [start] = first.events();
  const question = start?.event.type === 'session.start' ? start.event.userMessageId : '';
  const line = await begin(id, question);
  const path = `/api/conversations/${line}`;
  const second = await readTurn(chat.visitor, `${path}/turn`);
  await second.says('Y begins');

  // Later or returning readers find both, and follow each; other users do not.
  expect(await chat.conversation(id)).toMatchObject({ comparison: line, messages: { length: 2 } });
  expect(await chat.conversation(line)).toMatchObject({
    messages: [{ content: 'Which?' }, { status: 'running', model: 'other' }],
  });
  const stranger = chat.server.visitor();
  expect([(await stranger(path)).status, (await stranger(`${path}/turn`)).status]).toEqual([
    404, 404,
  ]);
  expect((await stop(id)).status).toBe(200);
  expect(await first.ended).toBe('whole');
  const asked = (await chat.conversation(line)).messages[0]?.id ?? '';
  // The other one continues, and nothing else starts.
  for (const refused of [
    await takeTurn(chat.visitor, { message: 'Next', conversationId: id }),
    await take(id, asked),
    await chat.visitor(comparisonPath(id), { json: { question, model: 'other' } }),
  ]) {
    expect(refused.status).toBe(409);
  }
  gates.Y.open();
  expect(await second.ended).toBe('whole');
  // An ended one is already stopped; other users see nothing.
  expect(await (await stop(line)).json()).toEqual({ stopped: false });
  const stopOfOther = stranger(`/api/apps/chat/chat/${line}/stop`, { method: 'POST' });
  expect((await stopOfOther).status).toBe(404);
  const both = await chat.conversation(id);
  expect(both.messages[1]).toMatchObject({
    content: 'X begins',
    status: 'stopped',
    model: 'scripted',
  });
  const [, answered] = (await chat.conversation(line)).messages;
  expect(answered).toMatchObject({ content: 'Y begins, and ends.', status: 'complete' });
  const search = await chat.visitor('/api/conversations?query=ends');
  expect(await search.json()).toMatchObject({
    ...{ total: 1, items: [{ id, hit: { messageId: answered?.id } }] },
  });
  const opinion = { json: { value: 'up' }, method: 'PUT' };
  const ofAnswer = `/api/messages/${answered?.id}`;
  expect((await chat.visitor(`${ofAnswer}/feedback`, opinion)).status).toBe(204);
  const admin = await signInAdmin(chat.server);
  expect(await (await admin(`${ofAnswer}/trace`)).json()).toMatchObject({ conversationId: id });

  isHeld = false;
  expect((await take(id, asked)).status).toBe(204);
  const taken = await chat.conversation(id);
  expect(taken).toMatchObject({ model: 'other' });
  expect(taken.comparison).toBeUndefined();
  expect(taken.messages[1]).toMatchObject({
    ...{ content: 'Y begins, and ends.', feedback: { value: 'up' } },
    lines: { at: 2, of: 2, before: question },
  });
  await ask('More', id);
  expect(await contents(id)).toEqual(['Which?', 'Y begins, and ends.', 'More', 'Y: More']);
  expect((await take(id, question)).status).toBe(204);
  expect(await contents(id)).toEqual(['Which?', 'X begins']);
});

test('until one is chosen, the conversation continues with the first one, and both are in a backup', async () => {
  await chat.start(echo);
  const id = randomUUID();
  const first = await ask('A', id);
  const second = await answer(id, first);
  const admin = await signInAdmin(chat.server);
  await importBackup(admin, await exportBackup(admin, '?data=true'));
  const search = async (query: string) =>
    (await (await chat.visitor(`/api/conversations?query=${query}`)).json()) as { total: number };
  const { comparison: restored = '' } = await chat.conversation(id);
  expect((await chat.conversation(restored)).messages[1]).toMatchObject({ id: second.id });
  expect(await search('Y')).toMatchObject({ total: 1 });
  // A third model replaces the second, which stays as a branch.
  await answer(id, first);
  expect((await chat.conversation(id)).messages[1]?.lines).toMatchObject({ at: 1, of: 3 });
  const next = await ask('B', id);
  const { comparison, messages } = await chat.conversation(id);
  expect(comparison).toBeUndefined();
  expect(messages.map(({ content }) => content)).toEqual(['A', 'X: A', 'B', 'X: B']);
  expect(messages[1]?.lines).toMatchObject({ at: 1, of: 3 });
  // Rejects earlier questions, other users' questions, and missing models.
  const refused = async (json: object, visitor = chat.visitor) =>
    (await visitor(comparisonPath(id), { json })).status;
  expect(await refused({ question: first, model: 'other' })).toBe(404);
  expect(await refused({ question: next, model: 'none' })).toBe(404);
  expect(await refused({ question: next, model: 'other' }, chat.server.visitor())).toBe(404);
  expect((await chat.conversation(id)).comparison).toBeUndefined();
  await answer(id, next);
  expect((await chat.visitor(`/api/conversations/${id}`, { method: 'DELETE' })).status).toBe(204);
});

test('of concurrent requests for comparison answers one is run', async () => {
  const gate = openGate();
  await chat.start((request) =>
    isOther(request)
      ? [(signal) => Promise.race([gate.passed, untilAborted(signal)]), ...says('Y')]
      : echo(request),
  );
  const id = randomUUID();
  const question = await ask('A', id);
  const asked = Array.from({ length: 4 }, () =>
    chat.visitor(comparisonPath(id), { json: { question, model: 'other' } }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 409, 409, 409]);
  gate.open();
  const { comparison = '' } = await chat.conversation(id);
  await waitFor(async () => statusOf(await chat.conversation(comparison)) === 'complete');
});

test('a skill that is activated or ended in one answer is so only in its own branch', async () => {
  const activate = calls(['activate_skill', { skill_name: 'brief' }]);
  let isFirst = true;
  await chat.start((request) => {
    const isCalled = isOther(request) && isFirst;
    isFirst &&= !isCalled;
    return isCalled ? activate : echo(request);
  });
  const id = randomUUID();
  const active = async () => (await chat.conversation(id)).activeSkills.map(({ name }) => name);
  const { activations, question: asked } = await answer(id, await ask('A', id));
  expect(await active()).toEqual([]);
  expect(activations).toMatchObject([{ name: 'brief' }]);
  await take(id, asked);
  expect(await active()).toEqual(['brief']);
  // With the next question it ends: in each branch separately, and not where another one is asked.
  const next = await ask('B', id, { model: 'scripted', skillsOff: ['brief'] });
  expect(await active()).toEqual([]);
  const again = await answer(id, next);
  expect(again.ended).toMatchObject([{ name: 'brief' }]);
  await take(id, again.question);
  expect(await active()).toEqual([]);
  await take(id, next);
  expect(await active()).toEqual([]);
  await ask('C', id, { replaces: next, skillsOff: [] });
  expect(await active()).toEqual(['brief']);
});

test.each(['', 'temporary'])(
  'a comparison answer has the files of its question %s',
  async (kind) => {
    await chat.start(echo);
    const made = randomUUID();
    const id = kind ? `${made.slice(0, 14)}8${made.slice(15)}` : made;
    await chat.visitor('/api/auth/me');
    const upload = await chat.visitor(`/api/files?name=birds.txt${kind && '&temporary=true'}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'Herons wade.',
    });
    const { id: file } = attachmentSchema.parse(await upload.json());
    const question = await ask('A', id, { attachments: [file] });
    const { question: asked } = await answer(id, question);
    const [first, second] = chat.model.requests;
    expect(second?.messages).toEqual(first?.messages);
    const files = async () => {
      const [asked] = (await chat.conversation(id)).messages;
      const attached = asked?.role === 'user' ? (asked.attachments ?? []) : [];
      return Promise.all(
        attached.map(async (each) => (await chat.visitor(`/api/files/${each.id}`)).text()),
      );
    };
    expect(await files()).toEqual(['Herons wade.']);
    await take(id, asked);
    expect(await files()).toEqual(['Herons wade.']);
    expect(await contents(id)).toMatchObject(['A', expect.stringContaining('Y: ')]);
  },
);
