import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { parseFilters } from './skill-filters.ts';

const showChosen = (count: number) => {
  const skills = Array.from({ length: count }, (_, index) => ({
    name: `skill-${index}`,
    writable: true,
  })) as AdminSkill[];
  const selection = { skills, has: () => true, set: () => {}, replace: () => {} };
  renderWithServer(
    <BulkBar
      selection={selection}
      shown={{ filters: parseFilters(new URLSearchParams()), total: count }}
      names={{ apps: [], groups: [] }}
    />,
    {},
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
