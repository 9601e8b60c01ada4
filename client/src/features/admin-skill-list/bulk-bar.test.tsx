import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { parseFilters } from './skill-filters.ts';

const showChosen = (count: number) => {
  const skills = Array.from({ length: count }, (_, index) => ({
    name: `skill-${index}`,
    writable: true,
    status: 'on',
  })) as AdminSkill[];
  const selection = { skills, has: () => true, set: () => {}, replace: () => {} };
  return renderWithServer(
    <BulkBar
      selection={selection}
      shown={{ filters: parseFilters(new URLSearchParams()), total: count }}
      names={{ apps: [], groups: [] }}
    />,
    {
      'POST /api/admin/skills/bulk/reach': { apps: 3, people: 120 },
      'POST /api/admin/skills/bulk': { done: [], failed: [], restorable: {} },
    },
  );
};

it.each([
  [200, '200 selected', false],
  [201, '201 selected · You can export up to 200 at once.', true],
])('explains whether %i skills can be exported', (count, text, isTooMany) => {
  showChosen(count);
  expect(screen.getByRole('status').textContent).toBe(text);
  const button = screen.getByText('Export').closest('a');
  expect(button?.hasAttribute('data-disabled')).toBe(isTooMany);
});

it('asks before it switches off 20 skills or more, with the people and apps reached', async () => {
  const writes = showChosen(20);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Switch off' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Switch off 20 skills?' }));
  expect(await dialog.findByText('This reaches 120 people in 3 apps.')).toBeTruthy();
  const changes = () => writes.filter(({ line }) => line === 'POST /api/admin/skills/bulk');
  expect(changes()).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Switch off' }));
  expect(changes()).toMatchObject([{ body: { action: 'switch', enabled: false } }]);
});

it('switches off fewer skills at once', async () => {
  const writes = showChosen(19);
  await userEvent.click(screen.getByRole('button', { name: 'Switch off' }));
  expect(writes.map(({ line }) => line)).toEqual(['POST /api/admin/skills/bulk']);
});
