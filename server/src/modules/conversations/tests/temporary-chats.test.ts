import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { analyticsApi } from '@knowhow/shared/config/analytics';
import { expect, onTestFinished, test } from 'vitest';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { calls, type Step, says, scriptedModel } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
  withAllTools,
} from '../../../testing/start-test-server.ts';
import { readConversation, startOf, takeTurn } from '../../../testing/take-turn.ts';
import { testSource, testTool } from '../../../testing/tool-source.ts';

/** An ID as clients generate it for a temporary conversation. */
const newId = () => randomUUID().replace(/^(.{14})./, '$18');

const pay = testTool({ name: 'pay', title: 'Pay', consent: 'ask' }, () => 'Paid in zanzibar.');

async function start(script: Step[]) {
  const model = scriptedModel(...script);
  const server = await startTestServer({
    model: model.ask,
    toolSources: [testSource([pay])],
    files: {
      ...withAllTools,
      'config/platform.json': { anonymousAuth: { enabled: true }, titles: { byModel: true } },
      'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
    },
  });
  onTestFinished(server.close);
  const visitor = server.visitor();
  // From here on it has its cookie.
  await visitor('/api/auth/me');
  return { model, server, visitor };
}

/** All bytes of the data folder, including the database's log. */
async function onDisk({ folder }: TestServer): Promise<string> {
  const data = join(folder, 'data');
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
  );
  return texts.join('\n');
}

test('a temporary chat works like any other, and writes nothing of it to disk', async () => {
  const activate = calls(['activate_skill', { skill_name: 'brief' }]);
  const { model, server } = await start([
    ...[activate, calls(['office__pay', {}]), says('The quokka answers.')],
    ...[calls(['office__pay', {}]), says('Again.'), says('Otherwise.')],
  ]);
  const admin = await signInAdmin(server);
  const id = newId();
  const form = { method: 'POST', headers: { 'content-type': 'application/octet-stream' } };
  const uploaded = await admin('/api/files?name=aardvark.txt&temporary=true', {
    ...form,
    body: 'A capybara swims.',
  });
  const file = attachmentSchema.parse(await uploaded.json());
  const consents = `/api/conversations/${id}/consents/call-0`;
  const first = takeTurn(admin, {
    message: 'Where is the okapi?',
    conversationId: id,
    attachments: [file.id],
  });
  await expect
    .poll(async () => (await admin(consents, { json: { decision: 'conversation' } })).ok)
    .toBe(true);
  const turn = await first;
  expect(turn.text).toBe('The quokka answers.');
  const asked = await takeTurn(admin, { message: 'And the tapir?', conversationId: id });
  expect(asked.events.filter(({ type }) => type === 'tool.consent')).toEqual([]);
  const { userMessageId: replaces } = startOf(asked);
  await takeTurn(admin, { message: 'And the dugong?', conversationId: id, replaces });

  const conversation = await readConversation(admin, id);
  expect(conversation.activeSkills.map(({ name }) => name)).toEqual(['brief']);
  expect(conversation.messages[2]?.lines).toMatchObject({ at: 2, of: 2 });
  expect(JSON.stringify(model.requests.at(-1))).toContain('A capybara swims.');
  expect(await (await admin(`/api/files/${file.id}`)).text()).toBe('A capybara swims.');
  const result = await admin(`/api/messages/${startOf(turn).messageId}/calls/1`);
  expect(await result.json()).toMatchObject({ content: 'Paid in zanzibar.' });
  const title = await admin(`/api/conversations/${id}/title`);
  expect(await title.json()).toEqual({ title: 'Where is the okapi?' });

  for (const query of ['', '?query=okapi']) {
    expect(await (await admin(`/api/conversations${query}`)).json()).toMatchObject({ total: 0 });
  }
  expect((await admin(`/api/messages/${startOf(turn).messageId}/trace`)).status).toBe(404);
  const report = await parseAnswer(
    analyticsApi.skills.response,
    admin('/api/admin/analytics/skills'),
  );
  expect(report.totals.answers).toBe(3);
  const stored = await onDisk(server);
  for (const word of ['okapi', 'quokka', 'tapir', 'dugong', 'capybara', 'aardvark', 'zanzibar']) {
    expect(stored, word).not.toContain(word);
  }
});

test('a temporary chat is private, is deleted when its user leaves, and reports that to later messages', async () => {
  const { model, server, visitor } = await start([says('One.'), says('Two.')]);
  const id = newId();
  const first = await takeTurn(visitor, { message: 'Hello', conversationId: id });
  const path = `/api/conversations/${id}`;
  const stranger = server.visitor();
  expect((await stranger(path)).status).toBe(404);
  expect((await takeTurn(stranger, { message: 'Hi', conversationId: id })).status).toBe(404);
  expect((await stranger(path, { method: 'DELETE' })).status).toBe(404);

  expect((await visitor(path, { method: 'DELETE' })).status).toBe(204);
  expect((await visitor(path)).status).toBe(404);
  const { messageId: after } = startOf(first);
  const next = await takeTurn(visitor, { message: 'And?', conversationId: id, after });
  expect(next.status).toBe(404);
  expect(next.body).toContain('This temporary chat is gone');
  expect(model.requests).toHaveLength(1);
});

test('a user has at most five temporary chats: the one left longest ago is evicted', async () => {
  const { visitor } = await start(Array.from({ length: 6 }, () => says('Fine.')));
  const ids = Array.from({ length: 6 }, newId);
  for (const conversationId of ids) {
    expect((await takeTurn(visitor, { message: 'Hello', conversationId })).status).toBe(200);
  }
  const found = await Promise.all(ids.map((id) => visitor(`/api/conversations/${id}`)));
  expect(found.map(({ status }) => status)).toEqual([404, 200, 200, 200, 200, 200]);
});

test('guests, however many they pretend to be, leave capacity for signed-in users', async () => {
  const { server } = await start(Array.from({ length: 260 }, () => says('Fine.')));
  const admin = await signInAdmin(server);
  const asGuest = async () =>
    (await takeTurn(server.visitor(), { message: 'Hi', conversationId: newId() })).status;
  const answers: number[] = [];
  while (answers.length < 255) {
    answers.push(...(await Promise.all(Array.from({ length: 5 }, asGuest))));
  }
  expect(answers.filter((status) => status === 503).length).toBeGreaterThan(0);
  const { status } = await takeTurn(admin, { message: 'Hi', conversationId: newId() });
  expect(status).toBe(200);
});

test('guests with large files leave memory for signed-in users', async () => {
  const { server } = await start([]);
  const admin = await signInAdmin(server);
  const upload = async (visitor: Visitor, word: string) => {
    // Two identical ones are stored once.
    const words = Buffer.alloc(28 * 1024 * 1024, `${word} `);
    const headers = { 'content-type': 'application/octet-stream' };
    const form = { method: 'POST', headers, body: words };
    return (await visitor('/api/files?name=words.txt&temporary=true', form)).status;
  };
  const answers: number[] = [];
  while (answers.length < 7 && answers.at(-1) !== 503) {
    answers.push(await upload(server.visitor(), `word${answers.length}`));
  }
  expect(answers.filter((status) => status === 201).length).toBeGreaterThan(1);
  expect(answers.at(-1)).toBe(503);
  expect(await upload(admin, 'mine')).toBe(201);
}, 60_000);
