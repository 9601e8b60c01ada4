import { act, fireEvent, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { expect, it, vi } from 'vitest';
import { renderApp } from '../testing/render-app.tsx';
import { IconButton } from './icon-button.tsx';

// Cascading renders add up while new buttons appear, as in a long conversation whose answers are being formatted:
// after 50 in a row React throws its error 185.
it('is rendered once', () => {
  const rendered = vi.fn();
  renderApp(
    <Profiler id="buttons" onRender={rendered}>
      {['Copy', 'Change', 'Try again'].map((label) => (
        <IconButton key={label} label={label} icon="x" />
      ))}
    </Profiler>,
  );
  expect(screen.getAllByRole('button')).toHaveLength(3);
  expect(rendered).toHaveBeenCalledOnce();
});

it('shows its name on keyboard focus', async () => {
  renderApp(<IconButton label="Copy" icon="x" />);
  const button = screen.getByRole('button', { name: 'Copy' });
  vi.spyOn(button, 'matches').mockImplementation((selector) => selector === ':focus-visible');
  act(() => button.focus());
  expect((await screen.findByRole('tooltip')).textContent).toBe('Copy');
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(screen.queryByRole('tooltip')).toBeNull();
});

it('shows its name on hover, until the mouse leaves', async () => {
  renderApp(<IconButton label="Copy" icon="x" />);
  const button = screen.getByRole('button', { name: 'Copy' });
  vi.spyOn(button, 'matches').mockImplementation((selector) => selector === ':hover');
  fireEvent.pointerEnter(button);
  expect((await screen.findByRole('tooltip')).textContent).toBe('Copy');
  fireEvent.pointerLeave(button);
  expect(screen.queryByRole('tooltip')).toBeNull();
});
