import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentType, Suspense, useState } from 'react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app.tsx';
import { LostDialog } from './chunk-load-error.tsx';
import { lazyPart } from './lazy-part.tsx';

/** Cannot be loaded before `comes` is called. */
function partThatFails() {
  let isThere = false;
  let tries = 0;
  const load = async (): Promise<ComponentType<{ name: string; onClose: () => void }>> => {
    tries += 1;
    if (!isThere) {
      throw new TypeError('Failed to fetch dynamically imported module');
    }
    return ({ name }) => <p>Hello {name}</p>;
  };
  return {
    load,
    comes: () => {
      isThere = true;
    },
    tries: () => tries,
  };
}

/** A page with a text field, and a part that is loaded on demand. */
function pageWith(Part: ComponentType<{ name: string; onClose: () => void }>) {
  return function Page() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <textarea aria-label="Message" />
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <Suspense fallback="Loading">
          {isOpen && <Part name="Mia" onClose={() => setOpen(false)} />}
        </Suspense>
      </>
    );
  };
}

it('a part that cannot be loaded shows an error in place, keeps typed text next to it, and recovers', async () => {
  const { load, comes, tries } = partThatFails();
  const Page = pageWith(lazyPart(load));
  renderApp(<Page />);
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Message'), 'Half a thought');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  const note = await screen.findByRole('alert');
  expect(note.textContent).toContain('could not be loaded');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  // One immediate retry, and no more.
  expect(tries()).toBe(2);
  comes();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Hello Mia')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Half a thought');
});

it('a part recovers automatically when the connection returns', async () => {
  const { load, comes } = partThatFails();
  const Page = pageWith(lazyPart(load));
  renderApp(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('alert');
  comes();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('Hello Mia')).toBeTruthy();
});

it('a part recovers when the connection returns during a failing attempt', async () => {
  let fail = () => {};
  const tries = [
    () => Promise.reject<never>(new TypeError('Failed to fetch')),
    () =>
      new Promise<never>((_, reject) => {
        fail = () => reject(new TypeError('Failed to fetch'));
      }),
  ];
  const load = async (): Promise<ComponentType<{ name: string; onClose: () => void }>> => {
    await tries.shift()?.();
    return ({ name }) => <p>Hello {name}</p>;
  };
  const Page = pageWith(lazyPart(load));
  renderApp(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(tries).toEqual([]));
  window.dispatchEvent(new Event('online'));
  fail();
  expect(await screen.findByText('Hello Mia')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a dialog that could not be loaded can be dismissed, and is retried when it is opened again', async () => {
  const { load, comes } = partThatFails();
  const Page = pageWith(lazyPart(load, LostDialog));
  renderApp(<Page />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('alert');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.click(await screen.findByRole('button', { name: 'Close' }));
  comes();
  await user.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByText('Hello Mia')).toBeTruthy();
});
