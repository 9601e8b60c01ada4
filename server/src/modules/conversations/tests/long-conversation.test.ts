import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { calls, type Step, says } from '../../../testing/scripted-model.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { modelWith } from '../../../testing/start-test-server.ts';
import { readConversation, takeTurn } from '../../../testing/take-turn.ts';
import type { ModelRequest } from '../../models/model.ts';

const chat = scriptedChat({
  ...modelWith({ contextWindow: 4000 }),
  'skills/brief/SKILL.md': skillFile('brief', 'Makes it short.', 'Be brief.'),
  'skills/brief/references/a.md': 'The first file.',
  'skills/polite/SKILL.md': skillFile('polite', 'Makes it polite.', 'Be polite.'),
});

const answer = 'The team met on Monday and decided to move the launch by two weeks. '.repeat(40);
const read = calls(['read_skill_resource', { skill_name: 'brief', file_path: 'references/a.md' }]);

/** A model that reads a file before its first answer, gives long answers, and summarizes. */
function answerTo({ system, messages }: ModelRequest): Step {
  if (system.startsWith('Below is the beginning')) {
    return says('They moved the launch.');
  }
  return messages.length === 1 && messages[0]?.content.endsWith('Question 0') ? read : says(answer);
}

const turns = 24;

/** A conversation that the model sees as its last turns and a summary. Returns its messages. */
async function talkAtLength() {
  await chat.start(answerTo);
  const conversationId = randomUUID();
  const message = (turn: number) => `Question ${turn}`;
  for (let turn = 0; turn < turns; turn += 1) {
    const skills = { 0: ['brief'], 1: ['polite'] }[turn];
    const sent = { message: message(turn), conversationId, ...(skills ? { skills } : {}) };
    const { events } = await takeTurn(chat.visitor, sent);
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  }
  const { messages, leftOut } = await readConversation(chat.visitor, conversationId);
  const kept = messages.findIndex(({ id }) => id === leftOut?.before);
  expect(kept).toBeGreaterThan(2 * 16);
  return { conversationId, messages, lastRequest: chat.model.requests.at(-1)?.messages ?? [] };
}

/** Changes stored rows behind the server's back. */
async function inDatabase(change: RawBuilder<unknown>): Promise<void> {
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const { numAffectedRows = 0n } = await change.execute(database);
  await database.destroy();
  expect(numAffectedRows).toBeGreaterThan(0n);
}

test('a turn of a long conversation does not read the summarised messages', async () => {
  const { conversationId, messages, lastRequest } = await talkAtLength();
  await inDatabase(sql`update messages set details = 'nothing that could be read'
    where id in (${messages[2]?.id}, ${messages[3]?.id})`);
  const { events } = await takeTurn(chat.visitor, { message: 'Short.', conversationId });
  expect(events.at(-1)).toMatchObject({ type: 'done' });
  const request = chat.model.requests.at(-1)?.messages ?? [];
  expect(request.slice(0, lastRequest.length)).toEqual(lastRequest);
  expect(request[0]?.content).toContain('They moved the launch.');
  expect(chat.sent(chat.model.requests.length - 1).split('<skill_content name=')).toHaveLength(3);
});

test('new messages are ordered after those that were not read', async () => {
  const { conversationId, messages } = await talkAtLength();
  await takeTurn(chat.visitor, { message: 'Short.', conversationId });
  const after = await readConversation(chat.visitor, conversationId);
  expect(after.messages.slice(0, -2)).toEqual(messages);
  expect(after.messages.at(-2)).toMatchObject({ content: 'Short.' });
  expect(after.title).toBe('Question 0');
});

test.each([5, turns - 1])(
  'the message of turn %i can be replaced: the model sees the earlier ones again',
  async (turn) => {
    const { conversationId, messages } = await talkAtLength();
    const message = `Question ${turn}`;
    const before = chat.model.requests.find(({ messages: sent }) =>
      sent.at(-1)?.content.endsWith(message),
    );
    const replaces = messages[2 * turn]?.id ?? '';
    await takeTurn(chat.visitor, { message, conversationId, replaces });
    expect(chat.model.requests.at(-1)?.messages).toEqual(before?.messages);
    const after = await readConversation(chat.visitor, conversationId);
    expect(after.messages.slice(0, 2 * turn)).toEqual(messages.slice(0, 2 * turn));
    expect(after.messages).toHaveLength(2 * turn + 2);
  },
);

test('unread messages count towards the maximum length of a conversation', async () => {
  const { conversationId, messages } = await talkAtLength();
  await inDatabase(
    sql`update messages set content = ${'x'.repeat(8_000_000)} where id = ${messages[3]?.id}`,
  );
  const { status, body } = await takeTurn(chat.visitor, { message: 'Short.', conversationId });
  expect(status).toBe(409);
  expect(body).toContain('This conversation is full');
});
