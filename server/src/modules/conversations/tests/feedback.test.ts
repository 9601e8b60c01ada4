import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { problemSchema } from '@knowhow/shared/problem';
import AdmZip from 'adm-zip';
import { beforeEach, expect, test } from 'vitest';
import { exportBackup, importBackup, manifestZip } from '../../../testing/backup-calls.ts';
import { openTestDatabase } from '../../../testing/open-test-database.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { readConversation, startOf, type TakenTurn, takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat(rightsFiles);
let admin: Visitor;
let ann: SignedIn;
let turn: TakenTurn;

beforeEach(async () => {
  await chat.start([says('Fine.')]);
  admin = await signInAdmin(chat.server);
  ann = await signInNew(chat.server, admin, { username: 'ann', groups: ['staff'] });
  turn = await takeTurn(ann.visitor, { message: 'A' });
});

const think = (visitor: Visitor, json: unknown, id = startOf(turn).messageId) =>
  visitor(`/api/messages/${id}/feedback`, { method: 'PUT', json });

async function shown(): Promise<unknown> {
  const { messages } = await readConversation(ann.visitor, turn.conversationId);
  const answer = messages.find(({ id }) => id === startOf(turn).messageId);
  return answer?.role === 'assistant' ? answer.feedback : 'no answer';
}

async function stored(): Promise<number> {
  const database = await openTestDatabase(join(chat.server.folder, 'data'));
  const rows = await database.selectFrom('feedback').selectAll().execute();
  await database.destroy();
  return rows.length;
}

test('a rating comes with the conversation until it is removed', async () => {
  expect(await shown()).toBeUndefined();
  expect((await think(ann.visitor, { value: 'up' })).status).toBe(204);
  expect(await shown()).toEqual({ value: 'up' });
  await think(ann.visitor, { value: 'down', reason: '  Not what I asked.  ' });
  expect(await shown()).toEqual({ value: 'down', reason: 'Not what I asked.' });
  await think(ann.visitor, { value: 'down' });
  expect(await shown()).toEqual({ value: 'down' });
  expect((await think(ann.visitor, { value: null })).status).toBe(204);
  expect((await think(ann.visitor, { value: null })).status).toBe(204);
  expect(await shown()).toBeUndefined();
});

test('it stays with its answer while the conversation continues', async () => {
  await think(ann.visitor, { value: 'up' });
  await takeTurn(ann.visitor, { message: 'B', conversationId: turn.conversationId });
  expect(await shown()).toEqual({ value: 'up' });
});

test('only the owner can rate an answer, not even an admin, and questions cannot be rated', async () => {
  const ben = await signInNew(chat.server, admin, { username: 'ben', groups: ['staff'] });
  const missing = [
    await think(ben.visitor, { value: 'up' }),
    await think(admin, { value: 'up' }),
    await think(ann.visitor, { value: 'up' }, startOf(turn).userMessageId),
    await think(ann.visitor, { value: 'up' }, randomUUID()),
  ];
  for (const answer of missing) {
    expect(answer.status).toBe(404);
    expect(problemSchema.parse(await answer.json()).detail).toBe('There is no such answer.');
  }
  expect(await shown()).toBeUndefined();
});

test.each([
  {},
  { value: 'maybe' },
  { value: 1 },
  { value: 'up', reason: 'x'.repeat(2001) },
  { value: 'up', reason: 5 },
  { value: null, reason: 'Why not.' },
  { value: 'up', more: true },
])('rejects %j', async (json) => {
  expect((await think(ann.visitor, json)).status).toBe(400);
  expect(await stored()).toBe(0);
});

test('a reason of 2,000 characters is stored completely, except for NUL', async () => {
  const reason = 'ü'.repeat(1998);
  await think(ann.visitor, { value: 'up', reason: `${reason}\0!` });
  expect(await shown()).toEqual({ value: 'up', reason: `${reason}!` });
});

test('it stays with an answer that is retried, and is deleted with the conversation, and with its owner', async () => {
  await think(ann.visitor, { value: 'up' });
  const again = { message: 'A', replaces: startOf(turn).userMessageId };
  turn = await takeTurn(ann.visitor, { ...again, conversationId: turn.conversationId });
  expect(await stored()).toBe(1);
  await think(ann.visitor, { value: 'up' });
  expect(await stored()).toBe(2);
  await ann.visitor(`/api/conversations/${turn.conversationId}`, { method: 'DELETE' });
  expect(await stored()).toBe(0);
  turn = await takeTurn(ann.visitor, { message: 'B' });
  await think(ann.visitor, { value: 'down' });
  await admin(`/api/admin/users/${ann.id}?conversations=delete`, { method: 'DELETE' });
  expect(await stored()).toBe(0);
});

test('a backup that lacks an answer is restored without its rating', async () => {
  await think(ann.visitor, { value: 'up', reason: 'Short.' });
  const { conversationId } = turn;
  const later = startOf(await takeTurn(ann.visitor, { message: 'B', conversationId }));
  await think(ann.visitor, { value: 'down' }, later.messageId);
  const zip = new AdmZip(await exportBackup(admin, '?data=true'));
  const texts = zip.getEntries().map(({ entryName }) => [entryName, zip.readAsText(entryName)]);
  const files = Object.fromEntries(texts.filter(([name]) => name !== 'manifest.json'));
  const lines = String(files['data/messages.jsonl']).split('\n');
  // As if the turn had started during the backup.
  const earlier = lines.filter((line) => !line.includes(later.messageId));
  expect(earlier).toHaveLength(lines.length - 1);
  await importBackup(admin, manifestZip({ ...files, 'data/messages.jsonl': earlier.join('\n') }));
  expect(await shown()).toEqual({ value: 'up', reason: 'Short.' });
  expect(await stored()).toBe(1);
});
