import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { refusal, renderWithServer } from '../../testing/render-with-server.tsx';
import { NewDrafts } from './new-drafts.tsx';

const list = 'GET /api/skill-drafts';

it('lists drafts of skills that were never published, with their authors and reviews', async () => {
  const draft = { skill: 'letters', authors: ['Ann', 'Bo'], updated: '2026-11-01T10:00:00.000Z' };
  const items = [{ ...draft, isInReview: true }];
  renderWithServer(<NewDrafts />, { [list]: { items, total: 1 } });
  const link = await screen.findByRole('link', { name: 'letters' });
  expect(link.getAttribute('href')).toBe('/admin/skills/letters');
  expect(screen.getByText('by Ann and Bo')).toBeTruthy();
  expect(screen.getByText('In review')).toBeTruthy();
});

it('offers to load the drafts again after an error', async () => {
  renderWithServer(<NewDrafts />, { [list]: () => refusal(503, 'not-ready') });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});
