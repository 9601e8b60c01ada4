import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { AccessTable } from './access-table.tsx';

it('says for each group in each app whether it sees the skill, and why', () => {
  renderApp(
    <AccessTable
      access={{
        groups: [
          { id: 'users', name: 'Users' },
          { id: 'guests', name: 'Guests' },
        ],
        apps: [
          { id: 'chat', name: 'Chat' },
          { id: 'legal', name: 'Legal desk' },
        ],
        cells: [
          { group: 'users', app: 'chat', sees: true, rule: 'listed', via: 'guests' },
          { group: 'users', app: 'legal', sees: false, rule: 'not-in-app' },
          { group: 'guests', app: 'chat', sees: true, rule: 'global' },
          { group: 'guests', app: 'legal', sees: false, rule: 'app-not-granted' },
        ],
      }}
    />,
  );
  const [users, guests] = screen.getAllByRole('listitem').map((card) => within(card));
  expect(users?.getByRole('heading').textContent).toBe('Users');
  expect(answers(users)).toEqual([
    'Chat: Yes the app lists it, granted through Guests',
    'Legal desk: No the app does not offer it',
  ]);
  expect(answers(guests)).toEqual([
    'Chat: Yes it is in every app',
    'Legal desk: No the group may not open the app',
  ]);
});

function answers(card: ReturnType<typeof within> | undefined): string[] {
  const terms: HTMLElement[] = card?.getAllByRole('term') ?? [];
  return terms.map((term) => {
    const parts = [...(term.nextElementSibling?.children ?? [])];
    return `${term.textContent}: ${parts.map(({ textContent }) => textContent).join(' ')}`;
  });
}
