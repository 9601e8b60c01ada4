import type { Feedback } from '@knowhow/shared/chat/feedback';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { quietConversation, renderChat } from '../testing/render-chat.tsx';

const answerId = quietConversation.id.replace(/..$/, '02');
const address = `PUT /api/messages/${answerId}/feedback`;
const taken = () => new Response(null, { status: 204 });

function renderAnswer(answers: Record<string, unknown>, feedback?: Feedback) {
  const { createdAt } = quietConversation;
  return renderChat(
    () => ({
      ...quietConversation,
      messages: [
        { role: 'user', id: quietConversation.id, content: 'Why?', skills: [], createdAt },
        {
          ...{ role: 'assistant', id: answerId, content: 'Because.', thinking: '', model: 'house' },
          ...{ status: 'complete', activations: [], ended: [], toolCalls: [], createdAt },
          ...(feedback ? { feedback } : {}),
        },
      ],
    }),
    answers,
  );
}

const thumb = (name: string) => screen.findByRole('button', { name });
const isPressed = async (name: string) => (await thumb(name)).getAttribute('aria-pressed');

describe('what a reader thinks of an answer', () => {
  it('is a thumb, with an optional reason, usable by keyboard', async () => {
    const writes = renderAnswer({ [address]: taken });
    await userEvent.click(await thumb('Bad answer'));
    expect(await isPressed('Bad answer')).toBe('true');
    const field = screen.getByLabelText('What was wrong with it?');
    await userEvent.type(field, 'Too short{Enter}');
    expect(await screen.findByText('You said: Too short')).toBeTruthy();
    expect(screen.queryByLabelText('What was wrong with it?')).toBeNull();
    await waitFor(() =>
      expect(writes.map(({ body }) => body)).toEqual([
        { value: 'down' },
        { value: 'down', reason: 'Too short' },
      ]),
    );
  });

  it('can be skipped, changed and withdrawn', async () => {
    const writes = renderAnswer({ [address]: taken }, { value: 'down', reason: 'Too short' });
    expect(await screen.findByText('You said: Too short')).toBeTruthy();
    await userEvent.click(await thumb('Good answer'));
    expect(await isPressed('Bad answer')).toBe('false');
    await userEvent.click(screen.getByRole('button', { name: 'Skip' }));
    expect(screen.queryByLabelText('What was good about it?')).toBeNull();
    await userEvent.click(await thumb('Good answer'));
    expect(await isPressed('Good answer')).toBe('false');
    await waitFor(() =>
      expect(writes.map(({ body }) => body)).toEqual([{ value: 'up' }, { value: null }]),
    );
  });

  it('is reverted if it cannot be stored', async () => {
    const refuse = () =>
      Response.json(
        {
          type: 'about:blank',
          title: 'Not found',
          status: 404,
          code: 'not-found',
          detail: 'Gone.',
        },
        { status: 404, headers: { 'content-type': 'application/problem+json' } },
      );
    renderAnswer({ [address]: refuse }, { value: 'up' });
    await userEvent.click(await thumb('Bad answer'));
    await waitFor(async () => expect(await isPressed('Good answer')).toBe('true'));
    expect(await isPressed('Bad answer')).toBe('false');
  });
});
