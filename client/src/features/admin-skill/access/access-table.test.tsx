import type { SkillAccess } from '@knowhow/shared/skills/admin-skill';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderApp } from '../../../testing/render-app.tsx';
import { AccessTable } from './access-table.tsx';

const access: SkillAccess = {
  groups: [
    { id: 'users', name: 'Users' },
    { id: 'guests', name: 'Guests' },
  ],
  apps: [
    { id: 'legal', name: 'Legal desk' },
    { id: 'chat', name: 'Chat' },
  ],
  cells: [
    { group: 'users', app: 'chat', sees: true, rule: 'listed', via: 'guests' },
    { group: 'users', app: 'legal', sees: false, rule: 'not-in-app' },
    { group: 'guests', app: 'chat', sees: true, rule: 'global' },
    { group: 'guests', app: 'legal', sees: false, rule: 'app-not-granted' },
  ],
};

/** Sets the viewport width by media query. */
function OnDesktop({ access: shown }: { access: SkillAccess }) {
  useState(() => {
    const listeners = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
    vi.stubGlobal('matchMedia', () => ({ matches: false, ...listeners }));
  });
  return <AccessTable access={shown} />;
}

it('shows for an app which groups have access, and why, on a phone', async () => {
  renderApp(<AccessTable access={access} />);
  const answers = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(answers()).toEqual([
    'UsersYes: the app lists it, granted through Guests',
    'GuestsYes: it is in every app',
  ]);
  await userEvent.click(screen.getByRole('combobox', { name: 'App' }));
  await userEvent.click(screen.getByRole('option', { name: 'Legal desk (0 groups)' }));
  expect(answers()).toEqual([
    'UsersNo: the app does not offer it',
    'GuestsNo: the group may not open the app',
  ]);
});

it('marks each group in each app, and shows the reason on focus', async () => {
  renderApp(<OnDesktop access={access} />);
  const row = within(screen.getByRole('row', { name: /^Users/ }));
  expect(row.getAllByRole('button').map((mark) => mark.getAttribute('aria-label'))).toEqual([
    'No: the app does not offer it',
    'Yes: the app lists it, granted through Guests',
  ]);
  await userEvent.tab();
  await userEvent.tab();
  expect(
    await screen.findByText('Users in Legal desk. No: the app does not offer it'),
  ).toBeDefined();
  await userEvent.keyboard('{ArrowRight}{ArrowDown}');
  expect(await screen.findByText('Guests in Chat. Yes: it is in every app')).toBeDefined();
  await userEvent.tab({ shift: true });
  await userEvent.tab();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Yes: it is in every app');
});

it('finds one of many apps', async () => {
  const apps = Array.from({ length: 30 }, (_, at) => ({ id: `app-${at}`, name: `App ${at}` }));
  renderApp(<OnDesktop access={{ ...access, apps, cells: [] }} />);
  expect(screen.getAllByRole('columnheader')).toHaveLength(31);
  const search = screen.getByRole('searchbox', { name: 'Search apps' });
  await userEvent.type(search, 'app 29');
  await waitFor(() => expect(screen.getAllByRole('columnheader')).toHaveLength(2));
  expect(screen.getByRole('columnheader', { name: 'App 29' })).toBeDefined();
});
