import type { Me } from '@knowhow/shared/access/auth';
import { Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { lazyPart } from '../ui/loading/lazy-part.tsx';
import { loadTexts } from '../ui/loading/load-texts.ts';
import { PageLoading } from '../ui/loading/page-loading.tsx';
import { InboxArea } from './chat/inbox-area.tsx';
import { LibraryArea } from './chat/library-area.tsx';
import { UseSkillPage } from './chat/use-skill-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';

const MySkillsArea = lazyPart(async () => {
  await loadTexts('skills');
  return (await import('./chat/my-skills-area.tsx')).MySkillsArea;
});

/** Pages inside the shell without a conversation. They are loaded on demand. */
export function OtherPages({ me }: { me: Me }) {
  return (
    <Routes>
      <Route path="/skills/:name?" element={<LibraryArea />} />
      <Route
        path="/my/skills/:name?"
        element={
          <Suspense fallback={<PageLoading />}>
            <MySkillsArea />
          </Suspense>
        }
      />
      {!me.anonymous && (
        <>
          <Route path="/inbox" element={<InboxArea me={me} />} />
          <Route path="/inbox/attention" element={<InboxArea me={me} isAttention />} />
        </>
      )}
      <Route path="/use/:name" element={<UseSkillPage />} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}
