import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { UsageDialog } from './usage-dialog.tsx';

const nothing = { turns: 0, tokens: 0 };

it("shows the user's usage, their quota, and that of their group", async () => {
  renderWithServer(<UsageDialog onClose={vi.fn()} />, {
    'GET /api/account/usage': {
      items: [
        {
          ...{ kind: 'user', id: 'u1', name: 'Ann' },
          day: { turns: 3, tokens: 1200, maxTurns: 3 },
          month: { turns: 40, tokens: 16_000 },
        },
        { kind: 'group', id: 'staff', name: 'Staff', day: nothing, month: nothing },
      ],
      ...{ dayEndsAt: '2026-11-24T00:00:00.000Z', monthEndsAt: '2026-12-01T00:00:00.000Z' },
    },
  });
  const own = within(await screen.findByRole('table', { name: 'You' }));
  expect(own.getByText('3 of 3')).toBeTruthy();
  expect(own.getByText('16,000')).toBeTruthy();
  expect(screen.getByRole('table', { name: 'All members of Staff' })).toBeTruthy();
});
