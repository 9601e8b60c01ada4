import { fireEvent, screen, within } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { noRunner } from '../../testing/runner-facts.ts';
import { adminPages } from '../admin-pages.ts';
import { AdminArea } from './admin-area.tsx';

const me = {
  ...{ id: 'a', name: 'Ada', groups: [], anonymous: false, mayChat: true },
  ...{ isAdmin: true, adminRights: ['*' as const] },
};
const nothing = { items: [], total: 0 };
const facets = {
  statuses: {},
  problems: { errors: 0, warnings: 0 },
  sources: [],
  categories: [],
  tags: [],
  tools: [],
};

it('leads from each entry of the navigation to a page of that name', async () => {
  renderWithServer(
    <Routes>
      <Route index element={<Navigate to="/admin" />} />
      <Route path="/admin/*" element={<AdminArea me={me} />} />
    </Routes>,
    {
      'GET /api/admin/skills': { ...nothing, facets, foldersLeftOut: 0 },
      'GET /api/admin/tools': { sources: [] },
      'GET /api/admin/plugins': { plugins: [] },
      'GET /api/admin/skill-sources': { items: [] },
      'GET /api/admin/runner': noRunner,
      'GET /api/admin/apps': nothing,
      'GET /api/admin/groups': nothing,
      'GET /api/admin/users': nothing,
      'GET /api/admin/keys': nothing,
      'GET /api/admin/provider-keys': nothing,
      'GET /api/admin/invitations': nothing,
      'GET /api/admin/usage': nothing,
      'GET /api/admin/models': nothing,
      'GET /api/admin/model-states': nothing,
      'GET /api/admin/model-providers': nothing,
      'GET /api/admin/prompts': nothing,
      'GET /api/admin/audit': nothing,
      'GET /api/admin/settings/platform': {
        ...{ id: 'platform', path: 'contents/config/platform.json', config: {}, text: '{}' },
        ...{ checksum: 'first', environment: [] },
      },
      'GET /api/admin/analytics/skills': new Promise(() => undefined),
      'GET /api/health/faults': nothing,
    },
  );
  const links = async () => {
    fireEvent.click(await screen.findByLabelText('Open the sidebar'));
    const navigation = await screen.findByRole('navigation', { name: 'Administration' });
    return within(within(navigation).getByRole('list')).getAllByRole('link');
  };
  for (const index of adminPages.keys()) {
    const link = (await links())[index];
    const name = link?.textContent ?? '';
    fireEvent.click(link as HTMLElement);
    expect(await screen.findByRole('heading', { level: 1, name })).toBeTruthy();
  }
});

it('shows only the admin pages that the user has permission for', async () => {
  renderWithServer(
    <Routes>
      <Route index element={<Navigate to="/admin/users" />} />
      <Route
        path="/admin/*"
        element={<AdminArea me={{ ...me, adminRights: ['audit', 'prompts'] }} />}
      />
    </Routes>,
    {},
  );
  expect(await screen.findByText('Page not found')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Open the sidebar'));
  const navigation = await screen.findByRole('navigation', { name: 'Administration' });
  const links = within(within(navigation).getByRole('list')).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['Prompts', 'Audit log']);
});
