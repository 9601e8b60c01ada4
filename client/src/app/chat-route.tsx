import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { newId } from '../features/turn/new-id.ts';
import { ChatPage } from './chat-page.tsx';

/**
 * The chat's three addresses as one page: a new conversation has its id before it has an address,
 * so that nothing on the page changes when it gets one.
 */
export function ChatRoute() {
  const { id, appId } = useParams();
  const { key } = useLocation();
  const [fresh, setFresh] = useState(() => ({ key, id: newId() }));

  if (id === undefined && fresh.key !== key) {
    const next = { key, id: newId() };
    setFresh(next);
    return null;
  }
  const conversationId = id ?? fresh.id;
  return (
    <ChatPage
      key={conversationId}
      conversationId={conversationId}
      isFresh={id === undefined}
      wantedAppId={appId}
    />
  );
}
