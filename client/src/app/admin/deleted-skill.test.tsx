import type { SkillBlockState } from '@knowhow/shared/skills/skill-blocks';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Navigate, Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { AdminArea } from './admin-area.tsx';

const me = {
  ...{ id: 'a', name: 'Ada', groups: [], anonymous: false, mayChat: true },
  ...{ isAdmin: true, adminRights: ['*' as const] },
};
const path = '/api/admin/skills/old/block';

it('keeps the focus on the page of a deleted skill when its block is ended', async () => {
  const state: SkillBlockState = { name: 'old', exists: false, apps: [], groups: [], uses: 0 };
  let isBlocked = true;
  const current = () =>
    isBlocked ? { ...state, block: { reason: 'It leaks names.', tellUsers: false } } : state;
  renderWithServer(
    <Routes>
      <Route index element={<Navigate to="/admin/skills/old" />} />
      <Route path="/admin/*" element={<AdminArea me={me} />} />
    </Routes>,
    {
      'GET /api/admin/skills/old': () => refusal(404, 'not-found'),
      'GET /api/skill-drafts/old': () => refusal(404, 'not-found'),
      'GET /api/skill-versions/old': { items: [], total: 0 },
      [`GET ${path}`]: current,
      [`DELETE ${path}`]: () => {
        isBlocked = false;
        return state;
      },
    },
  );
  const heading = await screen.findByRole('heading', { name: /old/, level: 2 });
  await userEvent.click(await screen.findByRole('button', { name: 'Unblock' }));
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull());
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement?.contains(heading)).toBe(true);
  expect(heading.isConnected).toBe(true);
});
