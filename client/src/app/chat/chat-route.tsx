import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { newId } from '../../ui/new-id.ts';
import { ChatPage } from './chat-page.tsx';
import { temporarySearch } from './temporary-search.ts';

/**
 * The three routes of the chat as one page. A new conversation has its ID before it has a URL, so nothing on the
 * page changes when it gets one.
 */
export function ChatRoute() {
  const { id, appId } = useParams();
  const { key, search } = useLocation();
  const [fresh, setFresh] = useState(() => ({ key, id: createId(search) }));

  if (id === undefined && fresh.key !== key) {
    const next = { key, id: createId(search) };
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

/** The kind of a conversation follows from its ID; see `isTemporary`. */
function createId(search: string): string {
  const id = newId();
  return search === temporarySearch ? `${id.slice(0, 14)}8${id.slice(15)}` : id;
}
