import type { Conversation, Message } from '@knowhow/shared/chat/conversations';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { eventStream } from '../testing/event-stream.ts';
import { quietConversation, renderChat } from '../testing/render-chat.tsx';

const idOf = (number: number) => quietConversation.id.replace(/..$/, String(10 + number));
const createdAt = '2026-03-01T10:00:00.000Z';
const question = (number: number, content: string): Message => ({
  role: 'user',
  id: idOf(number),
  content,
  skills: [],
  createdAt,
});
const answer = (
  number: number,
  fields: { content: string; notices?: ['summarised'] },
): Message => ({
  role: 'assistant',
  id: idOf(number),
  thinking: '',
  model: 'house',
  status: 'complete',
  finishReason: 'stop',
  activations: [],
  ended: [],
  toolCalls: [],
  createdAt,
  ...fields,
});
const said = [
  question(1, 'Where do herons nest?'),
  answer(2, { content: 'In tall trees.' }),
  question(3, 'And in winter?'),
];
const summary = 'Goal: to know herons.\n\nFact: they nest in **tall** trees.';
const foldName = 'The model reads a summary of the messages above';

/** Whether an element is between two others on the page. */
function isBetween(first: Element, element: Element, last: Element): boolean {
  const follows = (one: Element, other: Element) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return follows(first, element) && follows(element, last);
}

describe('what the model no longer reads', () => {
  it('ends at a fold, which opens to the summary that replaces it', async () => {
    const leftOut = { before: idOf(3), summary };
    renderChat(() => ({ ...quietConversation, messages: said, leftOut }));
    const fold = await screen.findByRole('button', { name: foldName });
    const first = await screen.findByText('In tall trees.');
    expect(isBetween(first, fold, screen.getByText('And in winter?'))).toBe(true);
    expect(fold.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(fold);
    expect(fold.getAttribute('aria-expanded')).toBe('true');
    expect(
      (await screen.findByText('tall', { selector: 'strong' })).parentElement?.textContent,
    ).toBe('Fact: they nest in tall trees.');
  });

  it('ends at a separator if there is no summary', async () => {
    renderChat(() => ({ ...quietConversation, messages: said, leftOut: { before: idOf(3) } }));
    const line = await screen.findByText('The model no longer reads the messages above');
    const first = await screen.findByText('In tall trees.');
    expect(isBetween(first, line, screen.getByText('And in winter?'))).toBe(true);
  });

  it('is shown as soon as the turn that caused it has ended', async () => {
    const content = 'In the south.';
    const notices: ['summarised'] = ['summarised'];
    let stored: Conversation = { ...quietConversation, messages: said.slice(0, 2) };
    renderChat(() => stored, {
      [`POST /api/apps/chat/chat/${quietConversation.id}`]: () => {
        const messages = [...said, answer(4, { content, notices })];
        stored = { ...quietConversation, messages, leftOut: { before: idOf(3), summary } };
        return turn(
          3,
          { type: 'notice', code: 'summarised', message: '' },
          { type: 'chunk', content },
        );
      },
    });
    await screen.findByText('In tall trees.');
    await userEvent.type(screen.getByLabelText('Message'), 'And in winter?{Enter}');
    expect(await screen.findByRole('button', { name: foldName })).toBeTruthy();
    expect(
      await screen.findByText('From here on, the model reads a summary of the older messages.'),
    ).toBeTruthy();
  });

  it('is hidden once the turn that caused it has been replaced', async () => {
    const before = [...said, answer(4, { content: 'South.' }), question(5, 'Where there?')];
    const messages = [...before, answer(6, { content: 'Seville.', notices: ['summarised'] })];
    let stored: Conversation = { ...quietConversation, messages, leftOut: { before: idOf(3) } };
    renderChat(() => stored, {
      [`POST /api/apps/chat/chat/${quietConversation.id}`]: () => {
        const again = [...before, answer(6, { content: 'In Spain.' })];
        stored = { ...quietConversation, messages: again };
        return turn(5, { type: 'chunk', content: 'In Spain.' });
      },
    });
    const line = await screen.findByText('The model no longer reads the messages above');
    await userEvent.click(
      (await screen.findAllByRole('button', { name: 'Retry' })).at(-1) as HTMLElement,
    );
    await screen.findByText('In Spain.');
    await waitFor(() => expect(line.isConnected).toBe(false));
  });
});

/** The turn of a question and its answer, with these events. */
function turn(asked: number, ...events: Parameters<typeof eventStream>): Response {
  const start = {
    type: 'session.start' as const,
    conversationId: quietConversation.id,
    messageId: idOf(asked + 1),
    userMessageId: idOf(asked),
    model: 'house',
    activeSkills: [],
  };
  return eventStream(start, ...events, { type: 'done', finishReason: 'stop' });
}
