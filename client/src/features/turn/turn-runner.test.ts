import type { ChatEvent } from '@knowhow/shared/chat/chat';
import type { Conversation, Message, MessageStatus } from '@knowhow/shared/chat/conversations';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventStream, numberedStream } from '../../testing/event-stream.ts';
import { newId } from '../../ui/new-id.ts';
import { applyChatEvent } from './apply-chat-event.ts';
import { beginTurn } from './begin-turn.ts';
import { conversationQuery } from './conversation-query.ts';
import type { TurnRequest } from './turn-request.ts';
import { TurnRunner } from './turn-runner.ts';

const conversationId = newId();
const request: TurnRequest = {
  appId: 'chat',
  conversationId,
  message: 'Hello',
  skills: ['meeting-notes'],
  model: 'demo',
};
const started: Extract<ChatEvent, { type: 'session.start' }> = {
  type: 'session.start',
  conversationId,
  messageId: newId(),
  userMessageId: newId(),
  model: 'demo',
  activeSkills: [],
};

afterEach(() => vi.unstubAllGlobals());

describe('TurnRunner', () => {
  it('writes an answer into the cache as its events come', async () => {
    const { runner, conversation, sent } = serverThatAnswers(
      eventStream(
        started,
        { type: 'chunk', content: 'Good ' },
        { type: 'chunk', content: 'day' },
        { type: 'done', finishReason: 'stop' },
      ),
    );
    const onStarted = vi.fn();
    expect(await runner.start(request, onStarted)).toEqual({ sent: true });
    expect(onStarted).toHaveBeenCalledOnce();
    expect(conversation()?.messages).toMatchObject([
      { role: 'user', content: 'Hello', skills: ['meeting-notes'] },
      { role: 'assistant', content: 'Good day', status: 'complete' },
    ]);
    expect(sent()).toEqual({ message: 'Hello', skills: ['meeting-notes'], model: 'demo' });
    expect(runner.phaseOf(conversationId)).toBe('idle');
  });

  it('leaves no trace of a message the server did not take', async () => {
    const refusal = {
      type: 'urn:knowhow:problem:turn-running',
      title: 'Turn running',
      status: 409,
      code: 'turn-running',
      detail: 'An answer is still being written.',
    };
    const { runner, conversation } = serverThatAnswers(Response.json(refusal, { status: 409 }));
    const outcome = await runner.start(request, () => undefined);
    expect(outcome).toMatchObject({ sent: false, error: { code: 'turn-running' } });
    expect(conversation()).toBeUndefined();
  });

  it('reads on from where the connection broke, and takes no event twice', async () => {
    const half: ChatEvent[] = [started, { type: 'chunk', content: 'Half a' }];
    const { runner, conversation, asked } = serverThatAnswers(
      eventStream(...half),
      numberedStream(
        [2, { type: 'chunk', content: 'Half a' }],
        [3, { type: 'chunk', content: ' loaf' }],
      ),
      numberedStream([4, { type: 'done', finishReason: 'stop' }]),
    );
    expect(await runner.start(request, () => undefined)).toEqual({ sent: true });
    expect(conversation()?.messages.at(-1)).toMatchObject({
      content: 'Half a loaf',
      status: 'complete',
    });
    const from = (after: number) =>
      `/api/conversations/${conversationId}/turn?after=${after}&answer=${started.messageId}`;
    expect(asked().slice(1)).toEqual([from(2), from(3)]);
  });

  it('does not send again what the server has taken, though it could not say so', async () => {
    const { runner, conversation, fetched } = serverThatAnswers();
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    fetched.mockResolvedValueOnce(Response.json(stored('Half', 'running')));
    fetched.mockResolvedValueOnce(
      eventStream(
        started,
        { type: 'chunk', content: 'Half a loaf' },
        { type: 'done', finishReason: 'stop' },
      ),
    );
    const onStarted = vi.fn();
    expect(await runner.start(request, onStarted)).toEqual({ sent: true });
    expect(onStarted).toHaveBeenCalledOnce();
    expect(conversation()?.messages).toMatchObject([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Half a loaf', status: 'complete' },
    ]);
  });

  it('gives a message back that the server has not taken', async () => {
    const { runner, conversation, fetched } = serverThatAnswers();
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await runner.start(request, () => undefined)).toMatchObject({
      sent: false,
      error: { name: 'Unreachable' },
    });
    expect(conversation()).toBeUndefined();
  });

  it('waits calmly while the server cannot be reached, and asks at once when the network is back', async () => {
    const { runner, conversation, fetched } = serverThatAnswers(
      eventStream(started, { type: 'chunk', content: 'Half' }),
    );
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    const outcome = runner.start(request, () => undefined);
    await vi.waitFor(() => expect(runner.isAway(conversationId)).toBe(true));
    expect(conversation()?.messages.at(-1)).toMatchObject({ content: 'Half', status: 'running' });
    expect(runner.phaseOf(conversationId)).toBe('answering');
    fetched.mockResolvedValue(numberedStream([3, { type: 'done', finishReason: 'stop' }]));
    const since = performance.now();
    window.dispatchEvent(new Event('online'));
    await outcome;
    expect(performance.now() - since).toBeLessThan(400);
    expect(conversation()?.messages.at(-1)).toMatchObject({ content: 'Half', status: 'complete' });
  });

  it('asks for the conversation when there is nothing to follow any more', async () => {
    const { runner, conversation, fetched } = serverThatAnswers(
      eventStream(started, { type: 'chunk', content: 'Half' }),
      new Response(null, { status: 204 }),
    );
    fetched.mockImplementationOnce(async () => Response.json(stored('Half a loaf', 'complete')));
    expect(await runner.start(request, () => undefined)).toEqual({ sent: true });
    expect(conversation()?.messages.at(-1)).toMatchObject({
      content: 'Half a loaf',
      status: 'complete',
    });
  });

  it('marks an answer as interrupted when the server refuses it for good', async () => {
    const body = { type: 'x', title: 'x', status: 404, code: 'not-found', detail: 'None.' };
    const { runner, conversation } = serverThatAnswers(
      eventStream(started, { type: 'chunk', content: 'Half' }),
      Response.json(body, { status: 404 }),
    );
    expect(await runner.start(request, () => undefined)).toEqual({ sent: true });
    expect(conversation()?.messages.at(-1)).toMatchObject({
      content: 'Half',
      status: 'interrupted',
    });
  });

  it('follows the answer of another page from its beginning, and never shows less of it', async () => {
    const { runner, conversation, show } = serverThatAnswers(
      eventStream(
        started,
        { type: 'chunk', content: 'Half' },
        { type: 'chunk', content: ' a loaf.' },
        { type: 'done', finishReason: 'stop' },
      ),
    );
    const seen = show(stored('Half a', 'running'));
    await runner.follow(conversationId);
    expect(conversation()?.messages.at(-1)).toMatchObject({
      content: 'Half a loaf.',
      status: 'complete',
    });
    expect(seen.map((content) => content.startsWith('Half a'))).not.toContain(false);
  });

  it('reports that its user was signed out, and keeps what was said', async () => {
    const ended = { code: 'not-signed-in', message: 'You are not signed in any more.' };
    const { runner, conversation, onSignedOut } = serverThatAnswers(
      eventStream(started, { type: 'chunk', content: 'Half a' }, { type: 'error', ...ended }),
    );
    expect(await runner.start(request, () => undefined)).toEqual({ sent: true });
    expect(onSignedOut).toHaveBeenCalledOnce();
    expect(conversation()?.messages.at(-1)).toMatchObject({
      content: 'Half a',
      status: 'failed',
      error: ended,
    });
  });

  it('runs one turn at a time in a conversation, and says which conversations have one', async () => {
    const { runner } = serverThatAnswers(
      eventStream(started, { type: 'done', finishReason: 'stop' }),
    );
    const first = runner.start(request, () => undefined);
    expect([...runner.running()]).toEqual([conversationId]);
    expect(await runner.start(request, () => undefined)).toMatchObject({
      sent: false,
      error: { code: 'turn-running' },
    });
    await first;
    expect([...runner.running()]).toEqual([]);
  });
});

/** A server that gives these answers, one after the other. */
function serverThatAnswers(...responses: Response[]) {
  const fetched = vi.fn<typeof fetch>();
  for (const response of responses) {
    fetched.mockImplementationOnce(async () => response);
  }
  vi.stubGlobal('fetch', fetched);
  const queryClient = new QueryClient();
  const onSignedOut = vi.fn();
  const { queryKey } = conversationQuery(conversationId);
  const conversation = () => queryClient.getQueryData(queryKey);
  return {
    runner: new TurnRunner(queryClient, {
      user: undefined,
      onSignedOut,
      notifyOthers: () => undefined,
    }),
    fetched,
    onSignedOut,
    conversation,
    /** Shows a conversation; gives the texts of its answer, as they are shown one after the other. */
    show: (shown: Conversation) => {
      queryClient.setQueryData(queryKey, shown);
      const seen: string[] = [];
      queryClient.getQueryCache().subscribe(() => {
        seen.push(conversation()?.messages.at(-1)?.content ?? '');
      });
      return seen;
    },
    sent: () => JSON.parse(String(fetched.mock.calls[0]?.[1]?.body)),
    asked: () => fetched.mock.calls.map(([address]) => address),
  };
}

function stored(content: string, status: MessageStatus): Conversation {
  const before = beginTurn({ conversation: undefined, request, newId, now: new Date() });
  const [question, answer] = applyChatEvent(before, started).messages;
  return { ...before, messages: [question, { ...answer, content, status }] as Message[] };
}
