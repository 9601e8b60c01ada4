import type { Me } from '@knowhow/shared/access/auth';
import type { MouseEvent } from 'react';
import { Route, Routes, useParams } from 'react-router';
import { FramedChat } from './framed-chat.tsx';
import { HandOverPage } from './hand-over-page.tsx';

/** The embedded chat of an app, and the window for signing in to it. */
export function EmbedArea({ me }: { me: Me }) {
  const { appId = '' } = useParams();
  return (
    <div style={{ display: 'contents' }} onClickCapture={openInNewWindow}>
      <Routes>
        <Route index element={<FramedChat key={appId} me={me} appId={appId} />} />
        <Route path="sign-in" element={<HandOverPage me={me} appId={appId} />} />
      </Routes>
    </div>
  );
}

/** Other Knowhow pages are not shown in a third-party frame; links to them open a new window. */
function openInNewWindow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const leaves = link?.origin === location.origin && !/^\/(?:embed|api)\//.test(link.pathname);
  if (link && leaves && link.target === '') {
    event.preventDefault();
    event.stopPropagation();
    window.open(link.href, '_blank', 'noopener');
  }
}
