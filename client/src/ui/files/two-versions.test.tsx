import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { TwoVersions } from './two-versions.tsx';

it('shows the first of very many differing lines, and the number of the rest', () => {
  renderApp(<TwoVersions mine={'mine\n'.repeat(10_000)} theirs={'x'.repeat(1_000_000)} />);
  expect(screen.getAllByRole('listitem')).toHaveLength(501);
  expect(screen.getByText('9,501 more lines.')).toBeTruthy();
  expect(screen.getByText(/^x+…$/).textContent).toHaveLength(2_001);
});
