import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { quietConversation, renderChat } from '../testing/render-chat.tsx';
import { refusal } from '../testing/render-with-server.tsx';

const me = {
  ...{ id: 'ada', name: 'Ada', groups: [], isAdmin: false, anonymous: false },
  ...{ mayChat: true, mayShare: true },
};
const activation = (name: string) =>
  ({ name, description: '', via: 'slash', tokens: 1, checksum: 'c' }) as const;
const idOf = (number: number) => quietConversation.id.replace(/..$/, `0${number}`);

function answer(number: number, skills: string[]): AssistantMessage {
  return {
    ...{ role: 'assistant', id: idOf(number), content: `Answer ${number}.`, thinking: '' },
    ...{ model: 'house', status: 'complete', ended: [], toolCalls: [] },
    activations: skills.map(activation),
    createdAt: `2026-03-01T10:0${number}:00.000Z`,
  };
}

function renderAnswers(
  answers: Record<string, unknown> = {},
  reader: object = me,
  id = quietConversation.id,
) {
  const { createdAt } = quietConversation;
  const question = (number: number) => ({
    role: 'user' as const,
    ...{ id: idOf(number), content: 'Why?', skills: [], createdAt },
  });
  return renderChat(
    () => ({
      ...quietConversation,
      id,
      activeSkills: [activation('minutes')],
      messages: [
        ...[question(1), answer(2, [])],
        ...[question(3), answer(4, ['minutes', 'letters'])],
        ...[question(5), answer(6, [])],
      ],
    }),
    { 'GET /api/auth/me': reader, ...answers },
    id,
  );
}

const buttons = () => screen.findAllByRole('button', { name: 'Suggest an improvement' });

it('an answer that used a skill offers to suggest an improvement, without the exchange by default', async () => {
  const address = `POST /api/messages/${idOf(6)}/suggestion`;
  const writes = renderAnswers({ [address]: () => new Response(null, { status: 204 }) });
  const [, last] = await buttons();
  expect(await buttons()).toHaveLength(2);
  await userEvent.click(last as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Suggest an improvement' }));
  expect(dialog.queryByRole('combobox')).toBeNull();
  const field = dialog.getByRole('textbox', { name: /What should “minutes” do differently/ });
  const send = dialog.getByRole('button', { name: 'Send suggestion' });
  expect(send).toHaveProperty('disabled', true);
  await userEvent.type(field, 'Name the date.');
  await userEvent.click(send);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(writes).toMatchObject([
    { line: address, body: { skill: 'minutes', comment: 'Name the date.', withExchange: false } },
  ]);
});

it('one of several skills can be chosen, and the exchange included', async () => {
  const address = `POST /api/messages/${idOf(4)}/suggestion`;
  const writes = renderAnswers({ [address]: () => refusal(409, 'conflict') });
  const [first] = await buttons();
  await userEvent.click(first as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Skill' }), 'letters');
  await userEvent.type(dialog.getByRole('textbox', { name: /“letters”/ }), 'Be brief.');
  await userEvent.click(dialog.getByRole('checkbox', { name: /Include this question and answer/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Send suggestion' }));
  expect(await dialog.findByRole('alert')).toBeTruthy();
  expect(writes).toMatchObject([
    { body: { skill: 'letters', comment: 'Be brief.', withExchange: true } },
  ]);
});

it('a guest is offered no suggestion', async () => {
  renderAnswers({}, { ...me, anonymous: true });
  await screen.findAllByRole('button', { name: 'Good answer' });
  expect(screen.queryByRole('button', { name: 'Suggest an improvement' })).toBeNull();
});

it('a temporary chat says that a suggestion is stored, and the exchange only if it is included', async () => {
  const temporary = quietConversation.id.replace('-4f0e-', '-8f0e-');
  renderAnswers({}, me, temporary);
  const [first] = await buttons();
  await userEvent.click(first as HTMLElement);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/This chat is temporary, but your suggestion is stored\./)).toBeTruthy();
  const choice = dialog.getByRole('checkbox', { name: /Include this question and answer/ });
  expect(choice).toHaveProperty('checked', false);
  expect(dialog.getByText(/Their copy stays when this temporary chat is gone/)).toBeTruthy();
});
