import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderWithServer } from '../../testing/render-with-server.tsx';
import { FacetFilter } from './facet-filter.tsx';

const frequent = Array.from({ length: 50 }, (_, index) => ({
  value: `tag-${index}`,
  count: 1200 - index,
}));

it('lists the most frequent tags with counts, and searches the server for others', async () => {
  const user = userEvent.setup();
  const chosen = vi.fn();
  renderWithServer(
    <FacetFilter field="tag" label="Tag" value={undefined} frequent={frequent} onChange={chosen} />,
    {
      'GET /api/admin/skill-facets': { items: [{ value: 'harbour', count: 1 }], total: 1 },
    },
  );
  await user.click(screen.getByRole('combobox', { name: 'Tag' }));
  expect(await screen.findByRole('option', { name: 'tag-0 1,200' })).toBeDefined();
  expect(screen.getByText('Type to find more')).toBeDefined();
  expect(screen.queryByRole('option', { name: /harbour/ })).toBeNull();

  await user.type(screen.getByRole('combobox', { name: 'Tag' }), 'harb');
  await user.click(await screen.findByRole('option', { name: 'harbour 1' }));
  expect(chosen).toHaveBeenCalledWith('harbour');
});

it('does not search the server if the list is complete', async () => {
  const user = userEvent.setup();
  const few = frequent.slice(0, 20);
  renderWithServer(
    <FacetFilter field="tag" label="Tag" value="gone" frequent={few} onChange={vi.fn()} />,
    { 'GET /api/admin/skill-facets': { items: [{ value: 'tag-one', count: 1 }], total: 1 } },
  );
  const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Tag' });
  expect(box.value).toBe('gone');
  await user.clear(box);
  await user.type(box, 'tag-1');
  expect(await screen.findAllByRole('option')).toHaveLength(11);
  expect(screen.queryByText('Type to find more')).toBeNull();
});
