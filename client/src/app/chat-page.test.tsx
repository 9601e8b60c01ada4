import { QueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Outlet, Route, Routes } from 'react-router';
import { expect, it, vi } from 'vitest';
import { TurnContext } from '../features/turn/turn-context.ts';
import { TurnRunner } from '../features/turn/turn-runner.ts';
import { renderApp } from '../testing/render-app.tsx';
import { ChatPage } from './chat-page.tsx';

const id = '5f7d6f0e-6f5b-4f0e-8f5e-2f4d7a3f7c11';
const list = (...items: unknown[]) => ({ items, total: items.length });
const question = (number: number) => ({
  id: id.replace(/..$/, String(10 + number)),
  role: 'user',
  content: `Question ${number}?`,
  skills: [],
  createdAt: '2026-03-01T10:00:00.000Z',
});
const answers = {
  '/api/apps': list({
    id: 'chat',
    name: 'Chat',
    description: '',
    greeting: { title: '', subtitle: '' },
    starterPrompts: [],
    models: ['house'],
  }),
  '/api/models': list({
    id: 'house',
    name: 'House model',
    description: '',
    supportsTools: true,
    supportsVision: false,
    provider: 'local',
    default: true,
  }),
  '/api/skills': list(),
  '/api/prompts': list(),
  [`/api/conversations/${id}`]: {
    id,
    appId: 'chat',
    model: 'house',
    title: 'Herons',
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-01T10:00:00.000Z',
    activeSkills: [],
    skillsOff: [],
    messages: Array.from({ length: 30 }, (_, number) => question(number)),
  },
};

it('renders no message again while one is typed, however many there are', async () => {
  const runner = new TurnRunner(new QueryClient(), {
    user: undefined,
    onSignedOut: () => undefined,
    notifyOthers: () => undefined,
  });
  renderApp(
    <TurnContext value={runner}>
      <Routes>
        <Route element={<Outlet context={{ hasSidebar: true }} />}>
          <Route
            index
            element={<ChatPage conversationId={id} isFresh={false} wantedAppId={undefined} />}
          />
        </Route>
      </Routes>
    </TurnContext>,
    answers,
  );
  await screen.findByText('Question 29?');
  await screen.findByRole('button', { name: 'Choose a model: House model' });
  // Each question asks this when it is rendered: one that is printed is not folded.
  const asked = vi.spyOn(window, 'matchMedia');
  await userEvent.type(screen.getByLabelText('Message'), 'A long word');
  expect(asked.mock.calls.filter(([query]) => query === 'print')).toEqual([]);
});
