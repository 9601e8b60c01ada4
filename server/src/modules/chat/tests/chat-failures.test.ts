import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Conversation } from '@knowhow/shared/chat/conversations';
import { problem } from '@knowhow/shared/problem';
import { describe, expect, test } from 'vitest';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says, untilAborted } from '../../../testing/scripted-model.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';
import { takeTurn } from '../../../testing/take-turn.ts';
import { waitFor } from '../../../testing/wait-for.ts';

const chat = scriptedChat();

describe('failures', () => {
  test('a failing model ends the turn with one error, and the conversation continues', async () => {
    const failure = problem('model-rate-limited', 'Scripted is busy. Try again in 7 seconds.');
    await chat.start([[{ type: 'text', text: 'Half' }, failure], says('Whole.')]);
    const { conversationId, events } = await takeTurn(chat.visitor, { message: 'A' });
    expect(events.at(-1)).toEqual({
      type: 'error',
      code: 'model-rate-limited',
      message: 'Scripted is busy. Try again in 7 seconds.',
    });
    expect((await chat.conversation(conversationId)).messages[1]).toMatchObject({
      content: 'Half',
      status: 'failed',
      error: { code: 'model-rate-limited' },
    });
    expect((await takeTurn(chat.visitor, { message: 'B', conversationId })).text).toBe('Whole.');
  });

  test('an unexpected error reveals no internals', async () => {
    await chat.start([[new Error('secret at /home/x')]]);
    const { body, events } = await takeTurn(chat.visitor, { message: 'A' });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'internal' });
    expect(body).not.toContain('secret');
  });

  test('a turn can be stopped; its text stays', async () => {
    await chat.start([[{ type: 'text', text: 'Half' }, untilAborted]]);
    const conversationId = randomUUID();
    await chat.visitor('/api/auth/me');
    const turn = takeTurn(chat.visitor, { message: 'A', conversationId });
    await waitFor(() => chat.model.requests.length === 1);
    const stopped = await chat.visitor(`/api/apps/chat/chat/${conversationId}/stop`, {
      method: 'POST',
    });
    expect(await stopped.json()).toEqual({ stopped: true });
    expect((await turn).events.at(-1)).toEqual({ type: 'done', finishReason: 'aborted' });
    expect((await chat.conversation(conversationId)).messages[1]).toMatchObject({
      content: 'Half',
      status: 'stopped',
    });
  });

  test('a second concurrent turn in a conversation is rejected', async () => {
    await chat.start([[{ type: 'text', text: 'Half' }, untilAborted]]);
    const conversationId = randomUUID();
    await chat.visitor('/api/auth/me');
    const first = takeTurn(chat.visitor, { message: 'A', conversationId });
    await waitFor(() => chat.model.requests.length === 1);
    expect((await takeTurn(chat.visitor, { message: 'B', conversationId })).status).toBe(409);
    await chat.visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    await first;
  });

  test('the text so far is stored while the model stalls', async () => {
    await chat.start([[{ type: 'text', text: 'Half' }, untilAborted]]);
    await chat.visitor('/api/auth/me');
    const conversationId = randomUUID();
    const turn = takeTurn(chat.visitor, { message: 'A', conversationId });
    await waitFor(() => chat.model.requests.length === 1);
    await waitFor(
      async () => (await chat.conversation(conversationId)).messages[1]?.content === 'Half',
    );
    expect(statusOf(await chat.conversation(conversationId))).toBe('running');
    await chat.visitor(`/api/apps/chat/chat/${conversationId}/stop`, { method: 'POST' });
    await turn;
  });

  test('an answer cut off by a crash shows as interrupted after the next start', async () => {
    await chat.start([says('Hello.')]);
    const { conversationId } = await takeTurn(chat.visitor, { message: 'A' });
    await chat.server.close();
    const { openTestDatabase } = await import('../../../testing/open-test-database.ts');
    const database = await openTestDatabase(join(chat.server.folder, 'data'));
    await database
      .updateTable('messages')
      .set({ status: 'running' })
      .where('role', '=', 'assistant')
      .execute();
    await database.destroy();
    chat.server = await startTestServer({ folder: chat.server.folder, model: chat.model.ask });
    const again = chat.server.visitor();
    expect((await again('/api/conversations')).status).toBe(200);
    const read = await openTestDatabase(join(chat.server.folder, 'data'));
    const row = await read
      .selectFrom('messages')
      .selectAll()
      .where('role', '=', 'assistant')
      .executeTakeFirst();
    await read.destroy();
    expect(row).toMatchObject({
      conversation_id: conversationId,
      status: 'interrupted',
      content: 'Hello.',
    });
  });
});

function statusOf({ messages }: Conversation): string | undefined {
  return messages.flatMap((message) => (message.role === 'assistant' ? message.status : []))[0];
}
