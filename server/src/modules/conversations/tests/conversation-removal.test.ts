import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Libsql from 'libsql';
import { expect, onTestFinished, test } from 'vitest';
import { measureLongestPause } from '../../../testing/measure-longest-pause.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat();

/** Adds many messages to a conversation, to simulate years of use. */
function lengthen(conversationId: string, count: number, text: string): Libsql.Database {
  const sqlite = new Libsql(join(chat.server.folder, 'data/knowhow.sqlite'));
  onTestFinished(() => {
    sqlite.close();
  });
  const add = sqlite.prepare(
    `insert into messages
      (id, conversation_id, position, role, content, status, details, created_at)
      values (?, ?, ?, 'user', ?, 'complete', '{"skills":[]}', '2026')`,
  );
  sqlite.exec('begin');
  for (let at = 0; at < count; at += 1) {
    add.run(randomUUID(), conversationId, at + 2, text);
  }
  sqlite.exec('commit');
  return sqlite;
}

test('deleting a long conversation does not block others', { timeout: 60_000 }, async () => {
  await chat.start([says('Fine.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  const sqlite = lengthen(conversationId, 3000, 'words '.repeat(300));
  const path = `/api/conversations/${conversationId}`;
  const removed = sqlite.prepare('select count(*) as n from messages');
  const pause = await measureLongestPause(async () => {
    expect((await chat.visitor(path, { method: 'DELETE' })).status).toBe(204);
  });
  expect(pause).toBeLessThan(300);
  expect((await chat.visitor(path)).status).toBe(404);
  expect(removed.all()).toEqual([{ n: 0 }]);
});

test('a conversation that is too long cannot be continued, with helpful advice', async () => {
  await chat.start([says('Fine.')]);
  const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
  lengthen(conversationId, 4000, 'words');
  const { status, body } = await takeTurn(chat.visitor, { message: 'B', conversationId });
  expect(status).toBe(409);
  expect(body).toContain('This conversation is full');
  const [first] = (await chat.conversation(conversationId)).messages;
  const again = { message: 'C', conversationId, replaces: first?.id ?? '' };
  expect((await takeTurn(chat.visitor, again)).status).toBe(200);
  expect((await chat.conversation(conversationId)).messages).toHaveLength(2);
});

test("a skill's stored text is deleted with the last conversation that uses it", async () => {
  await chat.start([says('Fine.')]);
  const skills = ['meeting-notes'];
  const first = await takeTurn(chat.visitor, { message: 'A', skills });
  const second = await takeTurn(chat.visitor, { message: 'A', skills });
  const sqlite = new Libsql(join(chat.server.folder, 'data/knowhow.sqlite'));
  onTestFinished(() => {
    sqlite.close();
  });
  const texts = sqlite.prepare('select content from skill_texts');
  expect(texts.all()).toHaveLength(1);
  for (const [index, { conversationId }] of [first, second].entries()) {
    await chat.visitor(`/api/conversations/${conversationId}`, { method: 'DELETE' });
    expect(texts.all()).toHaveLength(1 - index);
  }
});
