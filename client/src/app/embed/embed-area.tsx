import type { Me } from '@knowhow/shared/access/auth';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Route, Routes, useParams } from 'react-router';
import { addEmbedTexts } from '../../i18n/add-embed-texts.ts';
import { FramedChat } from './framed-chat.tsx';
import { HandOverPage } from './hand-over-page.tsx';

/** The chat of an app for pages of others, and the window in which people sign in for it. */
export function EmbedArea({ me }: { me: Me }) {
  const { i18n } = useTranslation();
  useState(() => addEmbedTexts(i18n));
  const { appId = '' } = useParams();
  return (
    <div style={{ display: 'contents' }} onClickCapture={openOutside}>
      <Routes>
        <Route index element={<FramedChat key={appId} me={me} appId={appId} />} />
        <Route path="sign-in" element={<HandOverPage me={me} appId={appId} />} />
      </Routes>
    </div>
  );
}

/** Whatever else of Knowhow a link leads to is not for a frame of somebody else: it gets a window of its own. */
function openOutside(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const leaves = link?.origin === location.origin && !/^\/(?:embed|api)\//.test(link.pathname);
  if (link && leaves && link.target === '') {
    event.preventDefault();
    event.stopPropagation();
    window.open(link.href, '_blank', 'noopener');
  }
}
