import type { ChatEvent } from '@knowhow/shared/chat';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { conversationQuery } from './conversation-query.ts';
import { newId } from './new-id.ts';
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
const started: ChatEvent = {
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

  it('keeps what was said when the connection breaks, and marks it as interrupted', async () => {
    const { runner, conversation } = serverThatAnswers(
      eventStream(started, { type: 'chunk', content: 'Half a' }),
    );
    expect(await runner.start(request, () => undefined)).toEqual({ sent: true });
    expect(conversation()?.messages.at(-1)).toMatchObject({
      content: 'Half a',
      status: 'interrupted',
    });
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

function serverThatAnswers(response: Response) {
  const fetched = vi.fn<typeof fetch>(async () => response);
  vi.stubGlobal('fetch', fetched);
  const queryClient = new QueryClient();
  const onSignedOut = vi.fn();
  return {
    runner: new TurnRunner(queryClient, {
      user: undefined,
      onSignedOut,
      notifyOthers: () => undefined,
    }),
    onSignedOut,
    conversation: () => queryClient.getQueryData(conversationQuery(conversationId).queryKey),
    sent: () => JSON.parse(String(fetched.mock.calls[0]?.[1]?.body)),
  };
}

function eventStream(...events: ChatEvent[]): Response {
  const text = events.map(
    ({ type, ...data }, index) =>
      `id: ${index + 1}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return new Response(`: hello\n\n${text.join('')}`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
