import type { Conversation } from '@knowhow/shared/chat/conversations';
import type { App } from '@knowhow/shared/config/apps';
import type { Model } from '@knowhow/shared/config/models';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Outlet, Route, Routes } from 'react-router';
import { ChatPage } from '../app/chat/chat-page.tsx';
import { TurnContext } from '../features/turn/turn-context.ts';
import { TurnRunner } from '../features/turn/turn-runner.ts';
import { renderWithServer } from './render-with-server.tsx';

const list = (...items: unknown[]) => ({ items, total: items.length });

/** An empty conversation as the server returns it. */
export const quietConversation: Conversation = {
  id: '5f7d6f0e-6f5b-4f0e-8f5e-2f4d7a3f7c11',
  appId: 'chat',
  model: 'house',
  title: 'Herons',
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
  activeSkills: [],
  skillsOff: [],
  messages: [],
};

/** The only app of the fake server. */
export const housesApp: App = {
  id: 'chat',
  name: 'Chat',
  description: '',
  greeting: { title: '', subtitle: '' },
  starterPrompts: [
    { title: 'Minutes', outcome: 'Who does what', message: 'Write the minutes.' },
    { title: 'A letter', message: 'Write a letter.' },
  ],
  models: ['house'],
  showTrace: false,
  bringsSkills: true,
  asksUsers: false,
};

/** Its only model. */
export const houseModel: Model = {
  id: 'house',
  name: 'House model',
  description: '',
  supportsTools: true,
  supportsVision: false,
  provider: 'local',
  default: true,
};

export const chatServer = {
  'GET /api/apps': list(housesApp),
  'GET /api/models': list(houseModel),
  'GET /api/skills': list(),
  'GET /api/prompts': list(),
  'GET /api/conversations': list(),
  'GET /api/folders': { items: [] },
};

/**
 * Renders the page of a conversation with a fake server. It returns the conversation from `stored()`, and
 * other responses by method and URL. Returns the requests that write.
 */
export function renderChat(
  stored: () => Conversation,
  answers: Record<string, unknown> = {},
  id = quietConversation.id,
) {
  return renderWithServer(<Chat id={id} />, {
    ...chatServer,
    [`GET /api/conversations/${id}`]: stored,
    ...answers,
  });
}

function Chat({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const [runner] = useState(
    () =>
      new TurnRunner(queryClient, {
        user: undefined,
        onSignedOut: () => undefined,
        notifyOthers: () => undefined,
      }),
  );
  const page = <ChatPage conversationId={id} isFresh={false} wantedAppId={undefined} />;
  return (
    <TurnContext value={runner}>
      <Routes>
        <Route element={<Outlet context={{ hasSidebar: true }} />}>
          <Route index element={page} />
        </Route>
      </Routes>
    </TurnContext>
  );
}
