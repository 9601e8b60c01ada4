import { authApi, type Me } from '@knowhow/shared/access/auth';
import { Notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Route, Routes } from 'react-router';
import { vi } from 'vitest';
import { query } from '../api/query.ts';
import { ChatRoute } from '../app/chat/chat-route.tsx';
import { Shell } from '../app/frame/shell.tsx';
import { TurnContext } from '../features/turn/turn-context.ts';
import { TurnRunner } from '../features/turn/turn-runner.ts';
import { chatServer } from './render-chat.tsx';
import { renderWithServer } from './render-with-server.tsx';

const me: Me = {
  id: 'ada',
  name: 'Ada',
  groups: [],
  isAdmin: false,
  anonymous: false,
  mayChat: true,
  mayShare: true,
};

/** Renders the chat with its sidebar and a fake server with the listed responses; returns the requests that write. */
export function renderShell(answers: Record<string, unknown>) {
  return renderWithServer(<Pages />, { ...chatServer, ...answers });
}

function Pages() {
  const queryClient = useQueryClient();
  useState(() => {
    queryClient.setQueryData(query(authApi.me, {}).queryKey, me);
    const { matchMedia } = window;
    const isOfNarrow = (query: string) => query.includes('max-width');
    vi.stubGlobal('matchMedia', (query: string) => ({
      ...matchMedia(query),
      ...(isOfNarrow(query) ? { matches: false } : {}),
    }));
  });
  const [runner] = useState(
    () =>
      new TurnRunner(queryClient, {
        user: me.id,
        onSignedOut: () => undefined,
        notifyOthers: () => undefined,
      }),
  );
  return (
    <TurnContext value={runner}>
      <Routes>
        <Route element={<Shell me={me} />}>
          <Route index element={<ChatRoute />} />
          <Route path="/c/:id" element={<ChatRoute />} />
        </Route>
      </Routes>
      <Notifications />
    </TurnContext>
  );
}
