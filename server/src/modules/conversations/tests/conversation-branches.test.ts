import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { conversationsApi, type Message } from '@knowhow/shared/chat/conversations';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { openGate } from '../../../testing/open-gate.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith, type Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, startOf, takeTurn } from '../../../testing/take-turn.ts';
import { onPostgres } from '../../../testing/test-database.ts';
import type { ModelRequest } from '../../models/model.ts';
import { branchTables } from '../archive-branch.ts';

const chat = scriptedChat({
  ...modelWith({}),
  'models/other.json': { id: 'other', modelId: 'y', name: 'Y', provider: 'local' },
  'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
  'skills/brief/references/a.md': 'The first file.',
});

/** Echoes the last message. */
const echo = ({ messages }: ModelRequest) => says(`Re: ${messages.at(-1)?.content}`);

async function ask(message: string, conversationId: string, more: object = {}) {
  const turn = await takeTurn(chat.visitor, { message, conversationId, ...more });
  return startOf(turn).userMessageId;
}

const show = (id: string, question: string | undefined, visitor: Visitor = chat.visitor) =>
  visitor(`/api/conversations/${id}/line`, { method: 'PUT', json: { question } });

async function texts(id: string, visitor = chat.visitor): Promise<string[]> {
  const { messages } = await readConversation(visitor, id);
  return messages.map(({ content, lines }) => (lines ? `${content} ${placeOf(lines)}` : content));
}

const placeOf = ({ at, of }: { at: number; of: number }) => `${at}/${of}`;

test('the branch before an edit can be restored, with its IDs, and continues from there', async () => {
  await chat.start(echo);
  const id = randomUUID();
  const first = await ask('A', id);
  const second = await ask('B', id);
  const before = await chat.conversation(id);
  const edited = await ask('C', id, { replaces: second, model: 'other' });
  expect(await texts(id)).toEqual(['A', 'Re: A', 'C 2/2', 'Re: C']);
  expect((await chat.conversation(id)).model).toBe('other');

  expect((await show(id, second)).status).toBe(204);
  const back = await chat.conversation(id);
  expect(back.messages.map(withoutLines)).toEqual(before.messages);
  expect(back.model).toBe(before.model);
  expect(back.messages[2]?.lines).toEqual({ at: 1, of: 2, after: edited });

  await ask('D', id);
  expect(chat.model.requests.at(-1)?.messages.map(({ content }) => content)).toEqual([
    'A',
    'Re: A',
    'B',
    'Re: B',
    'D',
  ]);
  expect((await show(id, edited)).status).toBe(204);
  expect(await texts(id)).toEqual(['A', 'Re: A', 'C 2/2', 'Re: C']);
  // Showing the current branch changes nothing.
  expect((await show(id, first)).status).toBe(204);
  expect((await show(id, edited)).status).toBe(204);
  expect((await show(id, second)).status).toBe(204);
  expect(await texts(id)).toEqual(['A', 'Re: A', 'B 1/2', 'Re: B', 'D', 'Re: D']);
});

const withoutLines = ({ lines: _, ...message }: Message) => message;

test('nested branches move with their parent; a retried answer shows its versions', async () => {
  await chat.start(echo);
  const id = randomUUID();
  const first = await ask('A', id);
  const second = await ask('B', id);
  await ask('B', id, { replaces: second });
  expect(await texts(id)).toEqual(['A', 'Re: A', 'B', 'Re: B 2/2']);
  const other = await ask('Z', id, { replaces: first });
  expect(await texts(id)).toEqual(['Z 2/2', 'Re: Z']);
  expect((await chat.conversation(id)).title).toBe('Z');
  expect((await show(id, first)).status).toBe(204);
  expect(await texts(id)).toEqual(['A 1/2', 'Re: A', 'B', 'Re: B 2/2']);
  expect((await chat.conversation(id)).title).toBe('A');
  expect((await show(id, other)).status).toBe(204);
  // Also a nested branch, by any of its messages, e.g. one that a search has found.
  const { messages: before } = await chat.conversation(id);
  expect(before).toHaveLength(2);
  expect((await show(id, second)).status).toBe(204);
  expect(await texts(id)).toEqual(['A 1/2', 'Re: A', 'B', 'Re: B 1/2']);
  expect((await chat.conversation(id)).title).toBe('A');
  const answer = (await chat.conversation(id)).messages[3]?.id;
  expect((await show(id, other)).status).toBe(204);
  expect((await show(id, answer)).status).toBe(204);
  expect(await texts(id)).toEqual(['A 1/2', 'Re: A', 'B', 'Re: B 1/2']);
  expect((await show(id, other)).status).toBe(204);
  expect(await texts(id)).toEqual(['Z 2/2', 'Re: Z']);
});

test('within a branch requests only grow, with its skills and results', async () => {
  const activate = calls(['activate_skill', { skill_name: 'brief' }]);
  const read = calls([
    'read_skill_resource',
    { skill_name: 'brief', file_path: 'references/a.md' },
  ]);
  await chat.start([
    ...[says('One.'), activate, read, says('Short.'), says('Plain.')],
    ...[says('Shorter.'), says('Plainer.')],
  ]);
  const id = randomUUID();
  await ask('A', id);
  const short = await ask('B', id);
  const plain = await ask('C', id, { replaces: short });
  expect((await chat.conversation(id)).activeSkills).toEqual([]);
  await show(id, short);
  expect((await chat.conversation(id)).activeSkills).toMatchObject([{ name: 'brief' }]);
  await ask('D', id);
  const { requests } = chat.model;
  const bytes = (at: number) => JSON.stringify(requests[at]?.messages).slice(0, -1);
  expect(bytes(5).startsWith(bytes(3))).toBe(true);
  await show(id, plain);
  await ask('E', id);
  expect(bytes(6).startsWith(bytes(4))).toBe(true);
  expect((await chat.conversation(id)).activeSkills).toEqual([]);
});

test('a skill ended within a branch ends only there; one ended between two turns ends in all', async () => {
  await chat.start(echo);
  const id = randomUUID();
  const active = async () => (await chat.conversation(id)).activeSkills.map(({ name }) => name);
  const arguments_ = { skills: ['brief'] };
  await ask('A', id, arguments_);
  const second = await ask('B', id, { skillsOff: ['brief'] });
  expect(await active()).toEqual([]);
  const third = await ask('C', id, { replaces: second, skillsOff: [] });
  expect(await active()).toEqual(['brief']);
  await show(id, second);
  expect(await active()).toEqual([]);
  expect((await chat.conversation(id)).skillsOff).toEqual(['brief']);
  await show(id, third);
  expect(await active()).toEqual(['brief']);
  await chat.visitor(`/api/conversations/${id}/skills/brief`, { method: 'DELETE' });
  await show(id, second);
  await show(id, third);
  expect(await active()).toEqual([]);
});

test('switching branches during an answer is rejected with the reason', async () => {
  const gate = openGate();
  await chat.start([says('One.'), says('Two.'), [() => gate.passed, ...says('Three.')]]);
  const id = randomUUID();
  const first = await ask('A', id);
  await ask('A2', id, { replaces: first });
  const running = takeTurn(chat.visitor, { message: 'B', conversationId: id });
  await expect.poll(() => chat.model.requests.length).toBe(3);
  const refused = await show(id, first);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ code: 'turn-running' });
  gate.open();
  await running;
  expect(await texts(id)).toEqual(['A2 2/2', 'Two.', 'B', 'Three.']);
});

test('only the owner can switch branches, and a missing one is reported as deleted', async () => {
  await chat.start(echo);
  const id = randomUUID();
  const first = await ask('A', id);
  await ask('B', id, { replaces: first });
  expect((await show(id, first, chat.server.visitor())).status).toBe(404);
  const missing = await show(id, randomUUID());
  expect(missing.status).toBe(404);
  expect(await missing.json()).toMatchObject({ detail: expect.stringContaining('Reload') });
  expect((await show(id, undefined)).status).toBe(400);
});

test('a failed retry is not kept as a branch', async () => {
  await chat.start([[new Error('gone')], says('Fine.'), [new Error('gone')], says('Other.')]);
  const id = randomUUID();
  const failed = await ask('A', id);
  const fine = await ask('A', id, { replaces: failed });
  expect(await texts(id)).toEqual(['A', 'Fine.']);
  const again = await ask('A', id, { replaces: fine });
  await ask('A', id, { replaces: again });
  expect(await texts(id)).toEqual(['A', 'Other. 2/2']);
});

test('a message has at most 20 branches: the oldest is deleted, and its user is told', async () => {
  await chat.start(echo);
  const id = randomUUID();
  let last = await ask('0', id);
  const first = last;
  for (let number = 1; number < 20; number += 1) {
    last = await ask(String(number), id, { replaces: last });
  }
  expect(await texts(id)).toEqual(['19 20/20', 'Re: 19']);
  const turn = await takeTurn(chat.visitor, { message: 'X', conversationId: id, replaces: last });
  expect(turn.events).toContainEqual(
    expect.objectContaining({ type: 'notice', code: 'lines-dropped' }),
  );
  expect(await texts(id)).toEqual(['X 20/20', 'Re: X']);
  expect((await chat.conversation(id)).messages[1]).toMatchObject({ notices: ['lines-dropped'] });
  expect((await show(id, first)).status).toBe(404);
});

test('a search includes archived branches, and prefers the shown one', async () => {
  await chat.start(echo);
  const id = randomUUID();
  const search = async (query: string) => {
    const list = chat.visitor(`/api/conversations?query=${query}`);
    return (await parseAnswer(conversationsApi.list.response, list)).items;
  };
  const found = async (query: string) => {
    const [{ hit } = {}, ...others] = await search(query);
    expect(others).toEqual([]);
    return hit?.messageId;
  };
  const first = await ask('Giraffe', id);
  const [, answer] = (await chat.conversation(id)).messages;
  const second = await ask('Giraffe and emu', id);
  expect(await found('giraffe')).toBe((await chat.conversation(id)).messages[3]?.id);
  const other = await ask('Elephant', id, { replaces: first });
  // Also a nested branch.
  await show(id, first);
  await ask('Heron', id, { replaces: second });
  await show(id, other);
  expect(await search('elephant')).toMatchObject([{ id, title: 'Elephant' }]);
  const emu = await found('emu');
  expect(await texts(id)).toEqual(['Elephant 2/2', 'Re: Elephant']);
  expect((await show(id, emu)).status).toBe(204);
  expect(await texts(id)).toEqual([
    'Giraffe 1/2',
    'Re: Giraffe',
    'Giraffe and emu 1/2',
    'Re: Giraffe and emu',
  ]);
  // If several match, a shown one.
  await show(id, await found('heron'));
  expect(await found('giraffe')).toBe(answer?.id);
  const stranger = chat.server.visitor();
  expect(await (await stranger('/api/conversations?query=giraffe')).json()).toMatchObject({
    total: 0,
  });
  const admin = await signInAdmin(chat.server);
  await importBackup(admin, await exportBackup(admin, '?data=true'));
  expect(await found('emu')).toBe(emu);
  expect((await chat.visitor(`/api/conversations/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect([await search('giraffe'), await search('elephant')]).toEqual([[], []]);
  expect(await rowsLeft()).toEqual({ conversations: 0, messages: 0, lines: 0, search_texts: 0 });
});

async function rowsLeft(): Promise<Record<string, number>> {
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const count = async (table: string) => {
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from ${sql.table(table)}`.execute(database);
    return rows[0]?.n ?? -1;
  };
  const left = {
    conversations: await count('conversations'),
    messages: await count('messages'),
    lines: await count('lines'),
    search_texts: await count('search_texts'),
  };
  await database.destroy();
  return left;
}

test('a backup contains all branches, and restores them', async () => {
  await chat.start(echo);
  const admin = await signInAdmin(chat.server);
  const id = randomUUID();
  const first = await ask('Giraffe', id);
  const second = await ask('B', id);
  await ask('C', id, { replaces: second });
  const other = await ask('Z', id, { replaces: first });
  const zip = await exportBackup(admin, '?data=true');
  await chat.visitor(`/api/conversations/${id}`, { method: 'DELETE' });
  await importBackup(admin, zip);
  expect(await texts(id)).toEqual(['Z 2/2', 'Re: Z']);
  expect((await show(id, first)).status).toBe(204);
  expect(await texts(id)).toEqual(['Giraffe 1/2', 'Re: Giraffe', 'C 2/2', 'Re: C']);
  expect((await show(id, second)).status).toBe(204);
  expect((await show(id, other)).status).toBe(204);
  const list = await chat.visitor('/api/conversations');
  expect(await list.json()).toMatchObject({ total: 1 });
});

test('each branch has the files of its question', async () => {
  await chat.start(echo);
  const id = randomUUID();
  await chat.visitor('/api/auth/me');
  const upload = await chat.visitor('/api/files?name=birds.txt', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: 'Herons wade.',
  });
  const { id: file } = attachmentSchema.parse(await upload.json());
  const first = await ask('A', id, { attachments: [file] });
  const second = await ask('A', id, { attachments: [file], replaces: first });
  const third = await ask('B', id, { replaces: second });
  const files = async () => {
    const [question] = (await chat.conversation(id)).messages;
    const attached = question?.role === 'user' ? question.attachments : undefined;
    const read = await Promise.all(
      (attached ?? []).map(async (each) => (await chat.visitor(`/api/files/${each.id}`)).text()),
    );
    return [question?.content, ...read];
  };
  expect(await files()).toEqual(['B']);
  await show(id, first);
  expect(await files()).toEqual(['A', 'Herons wade.']);
  await ask('More', id);
  expect(chat.model.requests.at(-1)?.messages[0]?.content).toContain('Herons wade.');
  await show(id, second);
  expect(await files()).toEqual(['A', 'Herons wade.']);
  await show(id, third);
  expect(await files()).toEqual(['B']);
});

test.skipIf(onPostgres())('every table with message rows moves with a branch', async () => {
  await chat.start(echo);
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const { rows } = await sql<{ name: string }>`
    select m.name from sqlite_master as m
    where m.type = 'table'
      and exists (select 1 from pragma_table_info(m.name) where name = 'message_id')
      and exists (select 1 from pragma_table_info(m.name) where name = 'conversation_id')
    order by m.name`.execute(database);
  await database.destroy();
  // Counted where it was said, and the search index, which is keyed by conversation.
  const apart = ['turn_facts', 'search_texts', 'search_pending'];
  expect(rows.map(({ name }) => name).filter((name) => !apart.includes(name))).toEqual(
    [...branchTables].sort(),
  );
});
