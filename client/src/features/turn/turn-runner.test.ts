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
  it('writes an answer into the cache as its events arrive', async () => {
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

  it('removes a message that the server did not accept', async () => {
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

  it('resumes after a broken connection, and applies no event twice', async () => {
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

  it('does not resend a message that the server accepted without confirmation', async () => {
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

  it('returns a message that the server has not accepted', async () => {
    const { runner, conversation, fetched } = serverThatAnswers();
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    expect(await runner.start(request, () => undefined)).toMatchObject({
      sent: false,
      error: { name: 'Unreachable' },
    });
    expect(conversation()).toBeUndefined();
  });

  it('retries with backoff while the server is unreachable, and at once when the network returns', async () => {
    const { runner, conversation, fetched } = serverThatAnswers(
      eventStream(started, { type: 'chunk', content: 'Half' }),
    );
    fetched.mockRejectedValue(new TypeError('Failed to fetch'));
    const outcome = runner.start(request, () => undefined);
    await vi.waitFor(() => expect(runner.isAway(conversationId)).toBe(true));
    expect(conversation()?.messages.at(-1)).toMatchObject({ content: 'Half', status: 'running' });
    expect(runner.phaseOf(conversationId)).toBe('answering');
    // A request under way may be the first to get it; the event begins another.
    fetched.mockImplementation(async () =>
      numberedStream([3, { type: 'done', finishReason: 'stop' }]),
    );
    const since = performance.now();
    window.dispatchEvent(new Event('online'));
    await outcome;
    expect(performance.now() - since).toBeLessThan(400);
    expect(conversation()?.messages.at(-1)).toMatchObject({ content: 'Half', status: 'complete' });
  });

  it('refetches the conversation if the server no longer has the turn', async () => {
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

  it('marks an answer as interrupted after a permanent refusal', async () => {
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

  it("follows another page's answer from its beginning, and never shows less of it", async () => {
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

  it('reports that its user was signed out, and keeps the text', async () => {
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

  it('runs one turn at a time per conversation, and lists the running ones', async () => {
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

/** A server that returns these responses in order. */
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
    /** Renders a conversation; returns the successive texts of its answer. */
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
