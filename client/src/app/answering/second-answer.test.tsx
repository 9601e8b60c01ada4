import type { Conversation } from '@knowhow/shared/chat/conversations';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openStream } from '../../testing/event-stream.ts';
import {
  houseModel,
  housesApp,
  quietConversation,
  renderChat,
} from '../../testing/render-chat.tsx';

const { id, createdAt } = quietConversation;
const idOf = (number: number) => id.replace(/..$/, String(10 + number));
const line = idOf(50);
const list = (...items: unknown[]) => ({ items, total: items.length });
const twoModels = {
  'GET /api/apps': list({ ...housesApp, models: ['house', 'other'] }),
  'GET /api/models': list(houseModel, {
    ...houseModel,
    id: 'other',
    name: 'Other model',
    default: false,
  }),
};

const question = (number: number) => ({
  ...{ role: 'user' as const, id: idOf(number), content: 'Which?', skills: [], createdAt },
});

const answer = (number: number, content: string, more: object = {}) => ({
  ...{ role: 'assistant' as const, id: idOf(number), content, thinking: '', model: 'house' },
  ...{ status: 'complete' as const, activations: [], ended: [], toolCalls: [], createdAt },
  ...more,
});

const button = (name: string) => screen.findByRole('button', { name });

it('asks a second model, follows and stops it, and continues with the chosen answer', async () => {
  const first = openStream();
  const second = openStream();
  const chat = `/api/apps/chat/chat`;
  let shown: Conversation = quietConversation;
  const writes = renderChat(() => shown, {
    ...twoModels,
    [`POST ${chat}/${id}`]: () => first.response,
    [`POST ${chat}/${id}/compare`]: { id: line },
    [`GET /api/conversations/${line}`]: {
      ...{ ...quietConversation, id: line, title: '', model: 'other' },
      messages: [question(7), answer(8, '', { model: 'other', status: 'running' })],
    },
    [`GET /api/conversations/${line}/turn`]: () => second.response,
    [`POST ${chat}/${line}/stop`]: () => {
      second.push({ type: 'done', finishReason: 'aborted' });
      return Response.json({ stopped: true });
    },
    [`PUT /api/conversations/${id}/line`]: () => {
      const lines = { at: 2, of: 2, before: idOf(1) };
      const taken = answer(8, 'Mine', { model: 'other', lines });
      shown = { ...quietConversation, model: 'other', messages: [question(7), taken] };
      return new Response(null, { status: 204 });
    },
  });
  await userEvent.click(await button('Second model'));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Other model' }));
  await button('Second model: Other model');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'Which?{Enter}');
  first.push({
    ...{ type: 'session.start' as const, conversationId: id, model: 'house', activeSkills: [] },
    ...{ messageId: idOf(2), userMessageId: idOf(1) },
  });
  first.push({ type: 'chunk', content: 'Ours' });
  await waitFor(() =>
    expect(writes.find(({ body }) => (body as { question?: string }).question)?.body).toEqual({
      ...{ question: idOf(1), model: 'other' },
    }),
  );
  second.push({ type: 'chunk', content: 'Mine' });
  await screen.findByText('Mine');
  const answers = screen.getAllByRole('article', { name: 'Answer' });
  expect(answers.map((each) => within(each).getByText(/Ours|Mine/).textContent)).toEqual([
    'Ours',
    'Mine',
  ]);
  await userEvent.click(await button('Stop the answer of Other model'));
  // The first answer continues, and neither answer is chosen yet.
  fireEvent.click(await button('Continue with the answer of Other model'), { detail: 2 });
  await button('Stop the answer of House model');
  const lines = { at: 1, of: 2, after: idOf(7) };
  shown = {
    ...{ ...quietConversation, comparison: line },
    messages: [question(1), answer(2, 'Ours', { lines })],
  };
  first.push({ type: 'done', finishReason: 'stop' });
  first.end();
  await button('Continue with the answer of House model');
  expect(screen.getByText(/continues from the first answer, by House model/)).toBeTruthy();
  await userEvent.click(await button('Continue with the answer of Other model'));
  await waitFor(() => expect(screen.queryByText('Ours')).toBeNull());
  expect(writes.at(-1)?.body).toEqual({ question: idOf(7) });
  await waitFor(async () => expect(document.activeElement).toBe(await button('Previous version')));
});

it('keeps the choice of a second model across a reload, until it is cleared', async () => {
  renderChat(() => quietConversation, twoModels);
  await userEvent.click(await button('Second model'));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Other model' }));
  await button('Second model: Other model');
  cleanup();
  renderChat(() => quietConversation, twoModels);
  await userEvent.click(await button('Second model: Other model'));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'No second model' }));
  await button('Second model');
  cleanup();
  renderChat(() => quietConversation, twoModels);
  await button('Second model');
});

it('lets another model answer next to an existing last answer', async () => {
  const writes = renderChat(
    () => ({ ...quietConversation, messages: [question(1), answer(2, 'Ours')] }),
    {
      ...twoModels,
      [`POST /api/apps/chat/chat/${id}/compare`]: { id: line },
      [`GET /api/conversations/${line}`]: {
        ...{ ...quietConversation, id: line, title: '', model: 'other' },
        messages: [question(7), answer(8, 'Mine', { model: 'other' })],
      },
    },
  );
  await userEvent.click(await button('Retry with another model'));
  await screen.findByText('Compare with another model');
  const [, otherModel] = await screen.findAllByRole('menuitem', { name: 'Other model' });
  await userEvent.click(otherModel as HTMLElement);
  await screen.findByText('Mine');
  expect(writes[0]?.body).toEqual({ question: idOf(1), model: 'other' });
});
