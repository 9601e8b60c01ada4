import type { Trial } from '@knowhow/shared/config/admin';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { adminSkill } from '../../testing/admin-skill.ts';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { PreviewAs } from './preview-as.tsx';

const trial: Trial = {
  groups: ['users'],
  model: 'demo',
  skills: [
    {
      name: 'pdf',
      description: 'Reads PDF files.',
      priority: 0,
      inCatalogue: true,
      isAlwaysUsed: false,
    },
  ],
  catalogue: '<available_skills>',
  system: 'You are helpful.',
  tools: [{ name: 'activate_skill', description: 'Activates a skill.' }],
  tokens: { catalogue: 20, system: 1500 },
  trimmed: 'not',
};
const item = (id: string, name: string | { en: string }) => ({
  id,
  path: `contents/${id}.json`,
  config: { id, name },
  text: '',
  checksum: '',
});
const list = (...items: unknown[]) => ({ items, total: items.length });

function show(answer: unknown, skill = adminSkill()) {
  const writes = renderWithServer(<PreviewAs skill={skill} />, {
    'GET /api/admin/apps': list(
      { ...item('a-broken-app', 'Broken'), config: { name: 5 } },
      ...[item('chat', { en: 'Chat' }), item('legal', { en: 'Legal desk' })],
    ),
    'GET /api/admin/groups': list(item('users', 'Users'), item('guests', 'Guests')),
    'POST /api/admin/try-as': answer,
  });
  return { writes, user: userEvent.setup() };
}

describe('try as', () => {
  it('requests a preview for the selected groups and app, and shows the exact prompt', async () => {
    const { user, writes } = show(trial);
    expect(await screen.findByText(/is in the catalogue/)).toBeTruthy();
    await user.click(await screen.findByRole('checkbox', { name: 'Guests' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'App' }), 'Legal desk');
    expect(writes.at(0)?.body).toEqual({ app: 'chat', groups: ['users'] });
    expect(writes.at(-1)?.body).toEqual({ app: 'legal', groups: ['users', 'guests'] });
    await user.click(await screen.findByRole('button', { name: 'System prompt' }));
    expect(screen.getByText('You are helpful.')).toBeTruthy();
  });

  it('distinguishes a skill that must be picked from a missing one', async () => {
    show({ ...trial, skills: [{ ...trial.skills[0], inCatalogue: false }] });
    expect(await screen.findByText(/users have to pick it with/)).toBeTruthy();
  });

  it('reports that an always used skill is active from the beginning', async () => {
    show({ ...trial, skills: [{ ...trial.skills[0], isAlwaysUsed: true }] });
    expect(await screen.findByText(/is always used in this app/)).toBeTruthy();
  });

  it('leaves out an app whose file is not valid', async () => {
    const { writes } = show(trial, adminSkill({ apps: [] }));
    expect(await screen.findByText(/is in the catalogue/)).toBeTruthy();
    expect(writes.at(-1)?.body).toEqual({ app: 'chat', groups: ['users'] });
    expect(screen.queryByRole('option', { name: 'a-broken-app' })).toBeNull();
  });

  it('reports that the skill is missing', async () => {
    show({ ...trial, skills: [] });
    expect(await screen.findByText(/“PDF” is not available/)).toBeTruthy();
  });
});
