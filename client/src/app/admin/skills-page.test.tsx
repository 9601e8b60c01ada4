import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { SkillsPage } from './skills-page.tsx';

const facets = {
  statuses: { on: 0, off: 0, blocked: 0, broken: 0, shadowed: 0 },
  problems: { errors: 0, warnings: 0 },
  sources: [],
  categories: [],
  tags: [],
  tools: [],
};

it('offers to create or import a skill if there are none', async () => {
  renderWithServer(<SkillsPage />, {
    'GET /api/admin/skills': { items: [], total: 0, facets, foldersLeftOut: 0 },
    'GET /api/admin/apps': { items: [], total: 0 },
    'GET /api/admin/groups': { items: [], total: 0 },
  });
  const title = await screen.findByRole('heading', { name: 'No skills yet' });
  const empty = within(title.parentElement as HTMLElement);
  expect(empty.getByRole('link', { name: 'New skill' }).getAttribute('href')).toBe(
    '/admin/skills/new',
  );
  expect(empty.getByRole('button', { name: 'Import' })).toBeDefined();
});
